import { bootstrapConditions, certificatesAvailable, infraMachineConditions } from "@capstan/contract/wire";

const { dataDeleted, dataUploaded, provisioned } = infraMachineConditions;

/** Reasons the roles write into conditions. */
export const RoleReason = {
  waitingForClusterInfrastructure: "WaitingForClusterInfrastructure",
  waitingForControlPlane: "WaitingForControlPlaneAvailable",
  waitingForBootstrapData: "WaitingForBootstrapData",
  waitingForMachines: "WaitingForMachines",
  waitingForProviderID: "WaitingForProviderID",
  provisioned: provisioned.reasons.provisioned,
  changeRefused: "ChangeRefused",
  updating: "Updating",
  replacing: "Replacing",
  /** On a bootstrap config: the Secret with its data exists, or not yet. */
  dataAvailable: bootstrapConditions.dataSecretAvailable.reasons.available,
  dataNotAvailable: bootstrapConditions.dataSecretAvailable.reasons.notAvailable,
  /** In `v1beta1` of conditions: making the data failed. */
  dataGenerationFailed: "DataSecretGenerationFailed",
  /** On a bootstrap config: the certificates of the cluster exist. */
  certificatesAvailable: certificatesAvailable.reasons.available,
  /** In `v1beta1` of conditions: why they are not. */
  certificatesCorrupted: certificatesAvailable.reasons.corrupted,
  certificatesGenerationFailed: certificatesAvailable.reasons.generationFailed,
  /** On a machine: its bootstrap data was uploaded to an object store. */
  dataStored: dataUploaded.reasons.stored,
} as const;

/** Reasons of the Events that the roles record. */
export const RoleEvent = {
  created: "Created",
  storedDataDeleted: dataDeleted.reasons.deleted,
  storedDataNotDeleted: dataDeleted.reasons.failed,
} as const;

/** Condition of infrastructure kinds: the infrastructure has been built. Stays True when it later fails; `Ready` shows that. */
const provisionedCondition = provisioned.type;

/** That condition, as it is when it is reached. */
export const provisionedMilestone = { type: provisionedCondition, reason: RoleReason.provisioned } as const;
