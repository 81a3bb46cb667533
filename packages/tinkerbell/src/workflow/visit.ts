import type { ReconcileContext } from "@capstan/runtime";
import { Hardware } from "../api/hardware.ts";
import type { Workflow, WorkflowStatus } from "../api/workflow.ts";

/** One look at a workflow, whose status is what was found so far. */
export interface Visit {
  readonly workflow: Workflow;
  readonly status: WorkflowStatus;
  readonly context: ReconcileContext;
}

/** Result of a reconcile: the status to write, and the delay until the next reconcile. */
export interface Outcome {
  readonly status: WorkflowStatus;
  readonly requeueAfterMs?: number;
}

/** The Hardware of a workflow; `undefined` when it names none or there is none. */
export const hardwareOf = ({ context, workflow }: Pick<Visit, "workflow" | "context">): Hardware | undefined => {
  const { hardwareRef = "" } = workflow.spec ?? {};
  const { namespace = "" } = workflow.metadata;
  return hardwareRef === "" ? undefined : context.cache.get(Hardware, { namespace, name: hardwareRef });
};

export const hardwareName = ({ metadata, spec }: Workflow): string =>
  `Hardware ${metadata.namespace ?? ""}/${spec?.hardwareRef ?? ""}`;
