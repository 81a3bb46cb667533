/** Reasons of the conditions of Linode's kinds. Beside them stand those of errors, and on a LinodeMachine the state that Linode reports. */
export const LinodeReason = {
  /** Of an Event. */
  addressInvalid: "AddressInvalid",
  backendUnreachable: "BackendUnreachable",
  changingMachines: "ChangingMachines",
  configurationMissing: "ConfigurationMissing",
  controlPlaneEndpointMissing: "ControlPlaneEndpointMissing",
  createError: "CreateError",
  creatingDisks: "CreatingDisks",
  deleting: "Deleting",
  dnsNameTaken: "DnsNameTaken",
  diskNotReady: "DiskNotReady",
  inUse: "InUse",
  nodeBalancerMissing: "NodeBalancerMissing",
  notRunningInTime: "NotRunningInTime",
  openingPorts: "OpeningPorts",
  preparing: "Preparing",
  referenceMissing: "ReferenceMissing",
  ruleWithoutAddresses: "RuleWithoutAddresses",
  templateInvalid: "TemplateInvalid",
  tooManyRules: "TooManyRules",
  waitingForBucket: "WaitingForBucket",
} as const;
