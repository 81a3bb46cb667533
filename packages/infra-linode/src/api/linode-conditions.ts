/** Reasons of the conditions of Linode's kinds. Beside them stand those of errors, and on a LinodeMachine the state that Linode reports. */
export const LinodeReason = {
  /** Of an Event. */
  backendUnreachable: "BackendUnreachable",
  changingMachines: "ChangingMachines",
  configurationMissing: "ConfigurationMissing",
  controlPlaneEndpointMissing: "ControlPlaneEndpointMissing",
  creatingDisks: "CreatingDisks",
  deleting: "Deleting",
  diskNotReady: "DiskNotReady",
  nodeBalancerMissing: "NodeBalancerMissing",
  notRunningInTime: "NotRunningInTime",
  openingPorts: "OpeningPorts",
  preparing: "Preparing",
  unsupported: "Unsupported",
} as const;
