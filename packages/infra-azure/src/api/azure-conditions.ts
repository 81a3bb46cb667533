/** Reasons of the conditions of Azure's kinds. Beside them stand those of errors, and states that Azure reports. */
export const AzureReason = {
  creating: "Creating",
  deleted: "Deleted",
  deleting: "Deleting",
  deletionFailed: "DeletionFailed",
  externallyManagedControlPlane: "ExternallyManagedControlPlane",
  failed: "Failed",
  /** Others own what is in the resource group of a cluster that goes. */
  groupStays: "ResourceGroupStays",
  /** Also in `status.failureReason`. */
  invalidConfiguration: "InvalidConfiguration",
  nameTaken: "NameTaken",
  ready: "Ready",
  /** Machines of a pool are not all of its present template. */
  modelOutOfDate: "ScaleSetModelOutOfDate",
  modelUpdated: "ScaleSetModelUpdated",
  desiredReplicas: "ScaleSetDesiredReplicas",
  scaleDown: "ScaleSetScaleDown",
  scaleUp: "ScaleSetScaleUp",
  spotEvicted: "SpotEvicted",
  stopped: "Stopped",
  subnetMissing: "SubnetMissing",
  unsupported: "Unsupported",
  updating: "Updating",
  userAssignedIdentityMissing: "UserAssignedIdentityMissing",
  vmDeleted: "VMDeleted",
} as const;

/** What `status.failureReason` says to programs that read the older contract. */
export const AzureFailure = {
  create: "CreateError",
  unsupportedChange: "UnsupportedChange",
  update: "UpdateError",
} as const;
