/** Reasons the roles write into conditions. */
export const RoleReason = {
  waitingForClusterInfrastructure: "WaitingForClusterInfrastructure",
  waitingForControlPlane: "WaitingForControlPlaneAvailable",
  waitingForBootstrapData: "WaitingForBootstrapData",
  waitingForMachines: "WaitingForMachines",
  waitingForProviderID: "WaitingForProviderID",
  provisioned: "Provisioned",
  changeRefused: "ChangeRefused",
  updating: "Updating",
  replacing: "Replacing",
  /** Of a bootstrap config: the Secret with its data is there, or not yet. */
  dataAvailable: "Available",
  dataNotAvailable: "NotAvailable",
  /** In `v1beta1` of conditions: making the data failed. */
  dataGenerationFailed: "DataSecretGenerationFailed",
  /** Of a bootstrap config: the cluster's certificates are there. */
  certificatesAvailable: "Available",
  /** In `v1beta1` of conditions: why they are not. */
  certificatesCorrupted: "CertificatesCorrupted",
  certificatesGenerationFailed: "CertificatesGenerationFailed",
  /** Of a machine: its bootstrap data was put into an object store. */
  dataStored: "Stored",
} as const;

/** Reasons of the Events that the roles record. */
export const RoleEvent = {
  created: "Created",
  storedDataDeleted: "BootstrapDataDeleted",
  storedDataNotDeleted: "BootstrapDataDeleteFailed",
} as const;

/** Condition of infrastructure kinds: the infrastructure has been built. Stays True when it later fails; `Ready` shows that. */
export const provisionedCondition = "Provisioned";

/** That condition, as it is when it is reached. */
export const provisionedMilestone = { type: provisionedCondition, reason: RoleReason.provisioned } as const;
