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
  /** This reason and those after it are for Events. */
  failed: "WorkflowFailed",
  held: "WorkflowHeld",
  rendered: "TemplateRendered",
  succeeded: "WorkflowSucceeded",
  timedOut: "WorkflowTimedOut",
} as const;

/** Annotation of a Workflow whose status is not restored yet. The Workflow does not run while it is set. */
export const restoredAnnotation = "tinkerbell.capstan.dev/restored";

/** On a Workflow that is meant to run on a machine of a Cluster that is installed already, for example to inspect it: "true". */
export const runOnProvisionedAnnotation = "tinkerbell.capstan.dev/run-on-provisioned";

/** On a Workflow for the machine of a Cluster: the namespace of that machine. */
export const machineNamespaceLabel = "capt.tinkerbell.org/machine-namespace";

/** Label and annotation of Jobs that workflows create. */
export const autoCreated = "tink-controller-auto-created";

/** Label of Tasks with the name of their Job. */
export const ownerNameLabel = "owner-name";
