import { infraMachineConditions } from "@capstan/contract/wire";

/** Reasons of the condition about bootstrapping. */
export const ReportReason = infraMachineConditions.bootstrapSucceeded.reasons;

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
