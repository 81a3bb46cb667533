import {
  conditionTable,
  type ConditionTable,
  infraClusterConditions,
  infraMachineConditions,
  infraMachinePoolConditions,
} from "@capstan/contract/wire";

/** The states of a part of the infrastructure. */
export const service = {
  ready: "Ready",
  creating: "Creating",
  updating: "Updating",
  failed: "Failed",
  deleting: "Deleting",
  deleted: "Deleted",
  deletionFailed: "DeletionFailed",
} as const;

const part = <const T extends string>(name: T, about: string) =>
  ({ type: `${name}Ready`, about, v1beta1: `${name}Ready`, reasons: service }) as const;

/** The parts of a cluster's infrastructure, in the order in which they are made. */
export const clusterParts = {
  ResourceGroup: part("ResourceGroup", "The resource group exists."),
  VNet: part("VNet", "The virtual network exists."),
  SecurityGroups: part("SecurityGroups", "The network security groups exist."),
  RouteTables: part("RouteTables", "The route tables exist."),
  PublicIPs: part("PublicIPs", "The public IP addresses exist."),
  NATGateways: part("NATGateways", "The NAT gateways exist."),
  Subnets: part("Subnets", "The subnets exist."),
  VnetPeering: part("VnetPeering", "The peerings of the virtual network exist."),
  LoadBalancers: part("LoadBalancers", "The load balancers exist."),
  PrivateDNSZone: part("PrivateDNSZone", "The private DNS zone exists."),
  PrivateDNSLink: part("PrivateDNSLink", "The private DNS zone is linked to the networks."),
  PrivateDNSRecord: part("PrivateDNSRecord", "The endpoint is in the private DNS zone."),
  PrivateEndpoints: part("PrivateEndpoints", "The private endpoints exist."),
  BastionHost: part("BastionHost", "The bastion host exists."),
} as const;

/** The conditions of an AzureCluster. */
export const azureClusterConditions = conditionTable({
  ...infraClusterConditions,
  ready: {
    ...infraClusterConditions.ready,
    reasons: {
      creating: service.creating,
      updating: service.updating,
      externallyManagedControlPlane: "ExternallyManagedControlPlane",
      groupStays: "ResourceGroupStays",
      subnetMissing: "SubnetMissing",
    },
  },
  ...clusterParts,
  network: part("NetworkInfrastructure", "All parts of the network exist."),
});

const serverReasons = {
  deleted: service.deleted,
  deleting: service.deleting,
  failed: service.failed,
  invalidConfiguration: "InvalidConfiguration",
  nameTaken: "NameTaken",
} as const;

const vmExtensions = part("VMExtensions", "The extensions of the virtual machine succeeded.");

/** The conditions of an AzureMachine. */
export const azureMachineConditions = conditionTable({
  ...infraMachineConditions,
  ready: {
    ...infraMachineConditions.ready,
    reasons: {
      ...serverReasons,
      spotEvicted: "SpotEvicted",
      stopped: "Stopped",
      unsupported: "Unsupported",
      updating: service.updating,
      userAssignedIdentityMissing: "UserAssignedIdentityMissing",
      vmDeleted: "VMDeleted",
    },
  },
  PublicIPs: clusterParts.PublicIPs,
  natRules: part("InboundNATRules", "The inbound NAT rule exists."),
  networkInterfaces: part("NetworkInterfaces", "The network interfaces exist."),
  availabilitySet: part("AvailabilitySet", "The availability set exists."),
  identities: part("VMIdentities", "The identities of the virtual machine exist."),
  disks: part("Disks", "The disks exist."),
  roleAssignment: part("RoleAssignment", "The identity of the virtual machine has its role."),
  extensions: vmExtensions,
  vm: { type: "VMRunning", about: "The virtual machine runs.", v1beta1: "VMRunning", reasons: service },
});

/** The conditions of an AzureMachinePool. */
export const azureMachinePoolConditions = conditionTable({
  ...infraMachinePoolConditions,
  ready: { ...infraMachinePoolConditions.ready, reasons: serverReasons },
  scaleSet: { type: "ScaleSetRunning", about: "The scale set runs.", v1beta1: "ScaleSetRunning", reasons: service },
  desiredReplicas: {
    type: "ScaleSetDesiredReplicas",
    about: "The scale set has as many machines as desired.",
    v1beta1: "ScaleSetDesiredReplicas",
    reasons: { desiredReplicas: "ScaleSetDesiredReplicas", scaleUp: "ScaleSetScaleUp", scaleDown: "ScaleSetScaleDown" },
  },
  modelUpdated: {
    type: "ScaleSetModelUpdated",
    about: "Every machine has the current template.",
    v1beta1: "ScaleSetModelUpdated",
    reasons: { modelUpdated: "ScaleSetModelUpdated", modelOutOfDate: "ScaleSetModelOutOfDate" },
  },
});

/** The conditions of an AzureMachinePoolMachine. */
const azureMachinePoolMachineConditions = conditionTable({
  ...infraMachineConditions,
  extensions: vmExtensions,
  vm: azureMachineConditions.vm,
});

/** The conditions of Azure's kinds, by kind. */
export const azureConditions: Readonly<Record<string, ConditionTable>> = {
  AzureCluster: azureClusterConditions,
  AzureMachine: azureMachineConditions,
  AzureMachinePool: azureMachinePoolConditions,
  AzureMachinePoolMachine: azureMachinePoolMachineConditions,
  AzureMachineTemplate: {
    ready: { ...infraMachineConditions.ready, reasons: { creating: service.creating } },
    paused: infraMachineConditions.paused,
  },
};

/** Reasons of the conditions of Azure's kinds; errors and states that Azure reports have their own. */
export const AzureReason = {
  ...service,
  ...azureClusterConditions.ready.reasons,
  ...azureMachineConditions.ready.reasons,
  ...azureMachinePoolConditions.desiredReplicas.reasons,
  ...azureMachinePoolConditions.modelUpdated.reasons,
} as const;

/** Values of `status.failureReason`, for programs that read the `v1beta1` contract. */
export const AzureFailure = {
  create: "CreateError",
  unsupportedChange: "UnsupportedChange",
  update: "UpdateError",
} as const;
