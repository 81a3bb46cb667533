/** Reasons of the condition about bootstrapping. */
export const ReportReason = {
  succeeded: "Succeeded",
  inProgress: "InProgress",
  failed: "Failed",
  timedOut: "TimedOut",
} as const;

/** The same in `v1beta1` of conditions, in the words of Cluster API. */
export const OlderReportReason = {
  inProgress: "BootstrapInProgress",
  failed: "BootstrapFailed",
} as const;

/** Reasons of Events about it. */
export const ReportEvent = {
  failed: "BootstrapFailed",
  timedOut: "BootstrapTimedOut",
  unavailable: "BootstrapReportUnavailable",
} as const;
