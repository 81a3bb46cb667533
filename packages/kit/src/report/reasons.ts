/** Reasons of the condition about bootstrapping. */
export const ReportReason = {
  succeeded: "Succeeded",
  inProgress: "InProgress",
  failed: "Failed",
  timedOut: "TimedOut",
} as const;

/** Reasons of Events about it. */
export const ReportEvent = {
  failed: "BootstrapFailed",
  timedOut: "BootstrapTimedOut",
  unavailable: "BootstrapReportUnavailable",
} as const;
