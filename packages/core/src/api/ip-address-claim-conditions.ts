/** Condition types of an IPAddressClaim; the provider of the pool writes them. */
export const IPAddressClaimCondition = { ready: "Ready" } as const;

/** Reasons of an IPAddressClaim's conditions, by the type they belong to. */
export const IPAddressClaimReason = {
  ready: { allocationFailed: "AllocationFailed", poolNotReady: "PoolNotReady", poolExhausted: "PoolExhausted" },
} as const;
