/** Conditions of a TinkerbellMachine beside Ready, Provisioned and Paused. */
export const TinkerbellCondition = {
  hardwareClaimed: "HardwareClaimed",
  userDataDelivered: "UserDataDelivered",
  workflowSucceeded: "WorkflowSucceeded",
  poweredOff: "PoweredOff",
} as const;

/** Reasons of the conditions and Events of Tinkerbell's kinds. Beside them stand those of errors. */
export const TinkerbellReason = {
  actionFailed: "ActionFailed",
  actionTimedOut: "ActionTimedOut",
  bootFailed: "BootFailed",
  claimed: "Claimed",
  controlPlaneEndpointMissing: "ControlPlaneEndpointMissing",
  delivered: "Delivered",
  finishing: "Finishing",
  hardwareNotUsable: "HardwareNotUsable",
  installing: "Installing",
  noBoardManagement: "NoBoardManagement",
  noHardware: "NoHardware",
  notDelivered: "NotDelivered",
  off: "Off",
  poweringOff: "PoweringOff",
  powerOffFailed: "PowerOffFailed",
  powerOffSkipped: "PowerOffSkipped",
  preparing: "Preparing",
  provisioned: "Provisioned",
  released: "Released",
  succeeded: "Succeeded",
  templateFailed: "TemplateFailed",
  templateMissing: "TemplateMissing",
  userDataMissing: "UserDataMissing",
  versionMissing: "VersionMissing",
  waitingForAgent: "WaitingForAgent",
  wiped: "Wiped",
  workflowFailed: "WorkflowFailed",
  workflowMissing: "WorkflowMissing",
} as const;
