/** Reasons of a CompositeConfig's conditions. Beside them stand those of errors. */
export const CompositeConfigReason = { waitingForParts: "WaitingForParts" } as const;
