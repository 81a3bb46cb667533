/** Reasons of Events about objects without an owner. */
export const AdoptionReason = { adopted: "SuccessfulAdopt", failed: "FailedAdopt" } as const;
