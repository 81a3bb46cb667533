/** Fields of a status that the contract, and so other controllers, read. */
const contractFields = new Set([
  "addresses",
  "conditions",
  "dataSecretName",
  "deprecated",
  "failureDomain",
  "failureDomains",
  "failureMessage",
  "failureReason",
  "initialization",
  "interruptible",
  "ready",
  "v1beta2",
]);

/** A provider's own field of the status: every observation says it again, so its change may come a little late. */
export const isOwnField = (field: string): boolean => !contractFields.has(field);
