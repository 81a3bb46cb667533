import { conditionTable, conditionTypes } from "@capstan/contract/wire";

/** The conditions of Hardware. */
export const hardwareConditions = conditionTable({
  machineUnique: {
    type: "MachineUnique",
    about: "No other Hardware describes the same machine; set once another one has.",
    reasons: {
      describedAgain: "MachineDescribedAgain",
      describedBefore: "MachineDescribedBefore",
      describedOnce: "MachineDescribedOnce",
    },
  },
});

/** Condition types of Hardware. */
export const HardwareCondition = conditionTypes(hardwareConditions);

/**
 * Reasons of MachineUnique: another Hardware describes the machine too and this one counts, the other one counts and this one is not used,
 * or no other Hardware describes it.
 */
export const HardwareReason = hardwareConditions.machineUnique.reasons;
