import { conditionTable, conditionTypes, infraClusterConditions, infraMachineConditions } from "@capstan/contract/wire";

/** The conditions of a TinkerbellMachine. */
export const tinkerbellMachineConditions = conditionTable({
  ...infraMachineConditions,
  ready: {
    ...infraMachineConditions.ready,
    reasons: {
      actionFailed: "ActionFailed",
      actionTimedOut: "ActionTimedOut",
      boardManagementUnreachable: "BoardManagementUnreachable",
      bootFailed: "BootFailed",
      finishing: "Finishing",
      imageFormatInvalid: "ImageFormatInvalid",
      installing: "Installing",
      machineInUse: "MachineInUse",
      noBoardManagement: "NoBoardManagement",
      preparing: "Preparing",
      provisioned: "Provisioned",
      released: "Released",
      templateFailed: "TemplateFailed",
      templateMissing: "TemplateMissing",
      versionMissing: "VersionMissing",
      waitingForAgent: "WaitingForAgent",
      workflowFailed: "WorkflowFailed",
    },
  },
  hardwareClaimed: {
    type: "HardwareClaimed",
    about: "The TinkerbellMachine owns a Hardware.",
    v1beta1: "HardwareClaimed",
    reasons: {
      claimed: "Claimed",
      hardwareNotUsable: "HardwareNotUsable",
      machineDescribedTwice: "MachineDescribedTwice",
      noHardware: "NoHardware",
    },
  },
  userDataDelivered: {
    type: "UserDataDelivered",
    about: "The user data is available to the machine, or was and has been wiped.",
    v1beta1: "UserDataDelivered",
    reasons: {
      delivered: "Delivered",
      notDelivered: "NotDelivered",
      userDataMissing: "UserDataMissing",
      wiped: "Wiped",
    },
  },
  workflowSucceeded: {
    type: "WorkflowSucceeded",
    about: "The Workflow has installed the machine.",
    v1beta1: "WorkflowSucceeded",
    reasons: { succeeded: "Succeeded", workflowMissing: "WorkflowMissing" },
  },
  poweredOff: {
    type: "PoweredOff",
    about: "A machine that is being removed is off.",
    v1beta1: "PoweredOff",
    reasons: {
      off: "Off",
      poweringOff: "PoweringOff",
      powerOffFailed: "PowerOffFailed",
      powerOffSkipped: "PowerOffSkipped",
    },
  },
});

/** The conditions of a TinkerbellCluster. */
export const tinkerbellClusterConditions = conditionTable({
  ...infraClusterConditions,
  ready: { ...infraClusterConditions.ready, reasons: { controlPlaneEndpointMissing: "ControlPlaneEndpointMissing" } },
});

/** Condition types of a TinkerbellMachine. */
export const TinkerbellCondition = conditionTypes(tinkerbellMachineConditions);

/** Reasons of the conditions and Events of Tinkerbell's kinds; errors have their own. */
export const TinkerbellReason = {
  ...tinkerbellClusterConditions.ready.reasons,
  ...tinkerbellMachineConditions.ready.reasons,
  ...tinkerbellMachineConditions.hardwareClaimed.reasons,
  ...tinkerbellMachineConditions.userDataDelivered.reasons,
  ...tinkerbellMachineConditions.workflowSucceeded.reasons,
  ...tinkerbellMachineConditions.poweredOff.reasons,
} as const;
