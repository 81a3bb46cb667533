/** Conditions of Hardware. */
export const HardwareCondition = {
  /** Whether no other Hardware describes the same machine; only on Hardware of which that was once not so. */
  machineUnique: "MachineUnique",
} as const;

export const HardwareReason = {
  /** Another one describes it too; this one counts. */
  describedAgain: "MachineDescribedAgain",
  /** Another one counts; this one is not used. */
  describedBefore: "MachineDescribedBefore",
  describedOnce: "MachineDescribedOnce",
} as const;
