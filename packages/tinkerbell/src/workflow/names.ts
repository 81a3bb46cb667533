/** States of a workflow. */
export const WorkflowState = {
  preparing: "PREPARING",
  pending: "PENDING",
  running: "RUNNING",
  post: "POST",
  success: "SUCCESS",
  failed: "FAILED",
  timeout: "TIMEOUT",
} as const;
export type WorkflowState = (typeof WorkflowState)[keyof typeof WorkflowState];

/** Conditions of a workflow. */
export const WorkflowCondition = {
  allowNetbootFalse: "AllowNetbootFalse",
  allowNetbootTrue: "AllowNetbootTrue",
  bootJobComplete: "BootJobComplete",
  bootJobFailed: "BootJobFailed",
  bootJobRunning: "BootJobRunning",
  bootJobSetupComplete: "BootJobSetupComplete",
  bootJobSetupFailed: "BootJobSetupFailed",
  templateRendered: "TemplateRenderedSuccess",
} as const;

/** Reasons of the conditions of workflows, and of Events about them. */
export const WorkflowReason = {
  complete: "Complete",
  created: "Created",
  error: "Error",
  /** Of Events. */
  failed: "WorkflowFailed",
  held: "WorkflowHeld",
  rendered: "TemplateRendered",
  succeeded: "WorkflowSucceeded",
  timedOut: "WorkflowTimedOut",
} as const;

/** Of a Workflow whose status has still to be restored: nothing happens while it is there. */
export const restoredAnnotation = "tinkerbell.capstan.dev/restored";

/** Of what was made for the machine of a Cluster. */
export const machineNameLabel = "capt.tinkerbell.org/machine-name";

/** Of Jobs that workflows make. */
export const autoCreated = "tink-controller-auto-created";

/** Of Tasks: the name of their Job. */
export const ownerNameLabel = "owner-name";
