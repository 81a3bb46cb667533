/** Condition types of a MachinePool. */
export const MachinePoolCondition = { paused: "Paused" } as const;
