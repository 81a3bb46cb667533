import { bootstrapConditions, conditionTable } from "@capstan/contract/wire";

const { dataSecretAvailable } = bootstrapConditions;

/** The conditions of a CompositeConfig. */
export const compositeConfigConditions = conditionTable({
  ...bootstrapConditions,
  dataSecretAvailable: {
    ...dataSecretAvailable,
    reasons: { ...dataSecretAvailable.reasons, waitingForParts: "WaitingForParts" },
  },
});

/** Reasons of a CompositeConfig's conditions; errors have their own. */
export const CompositeConfigReason = compositeConfigConditions.dataSecretAvailable.reasons;
