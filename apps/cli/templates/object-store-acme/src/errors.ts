import { storeErrors, type StoreFailure } from "@capstan/kit/delivery";

/** Failures as every store has them, with the fixes that are Acme's own. Shows neither keys nor signed URLs. */
export const storeError = storeErrors({
  unauthenticated: "check access and secret",
  forbidden: "give the key read and write permission for the bucket",
});

const byStatus: Readonly<Record<number, StoreFailure>> = {
  401: "unauthenticated",
  403: "forbidden",
  404: "bucketNotFound",
  412: "conflict",
  413: "tooLarge",
  429: "throttled",
};

/** Classifies the status of a failed request. Not called for a missing object, which callers look for before. */
export const meaningOf = (status: number): StoreFailure =>
  byStatus[status] ?? (status >= 500 ? "unavailable" : "unknown");
