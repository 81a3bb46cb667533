/** Condition types of a LinodeMachine; the preflight ones are the steps of its making, in order. */
export const LinodeMachineCondition = {
  ready: "Ready",
  paused: "Paused",
  bootstrapSucceeded: "BootstrapSucceeded",
  bootstrapDataSecretReady: "PreflightBootstrapDataSecretReady",
  firewallReady: "PreflightLinodeFirewallReady",
  vpcReady: "PreflightLinodeVPCReady",
  metadataSupportConfigured: "PreflightMetadataSupportConfigured",
  created: "PreflightCreated",
  additionalDisksCreated: "PreflightAdditionalDisksCreated",
  configured: "PreflightConfigured",
  bootTriggered: "PreflightBootTriggered",
  preflightReady: "PreflightReady",
} as const;

/** Condition types of a LinodeCluster. */
export const LinodeClusterCondition = {
  ready: "Ready",
  paused: "Paused",
  vpcReady: "PreflightLinodeVPCReady",
  nodeBalancerFirewallReady: "PreflightLinodeNBFirewallReady",
} as const;

/** Reasons of the conditions of LinodeMachines and LinodeClusters. Ready also takes the state Linode reports. */
export const LinodeReason = {
  machineReady: "LinodeMachineReady",
  loadBalancerReady: "LoadBalancerReady",
  bootstrapDataReady: "BootstrapDataSecretReady",
  waitingForBootstrapData: "WaitingForBootstrapData",
  firewallReady: "LinodeFirewallReady",
  firewallNotYetAvailable: "LinodeFirewallNotYetAvailable",
  firewallCreating: "LinodeFirewallCreating",
  vpcReady: "LinodeVPCReady",
  vpcNotYetAvailable: "LinodeVPCNotYetAvailable",
  vpcCreating: "LinodeVPCCreating",
  metadataSupportConfigured: "LinodeMetadataSupportConfigured",
  created: "LinodeMachinePreflightCreated",
  additionalDisksCreated: "AdditionalDisksCreated",
  configured: "LinodeMachinePreflightConfigured",
  bootTriggered: "LinodeMachinePreflightBootTriggered",
  preflightReady: "LinodeMachinePreflightReady",
  createError: "CreateError",
  updateError: "UpdateError",
  deleteError: "DeleteError",
  deletionCompleted: "DeletionCompleted",
} as const;
