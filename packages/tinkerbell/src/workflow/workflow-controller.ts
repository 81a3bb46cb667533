import type { ControllerV1 } from "@capstan/contract/v1";
import { eventPermissions, permission, watched } from "@capstan/kit";
import { mergePatchOf } from "@capstan/contract/patch";
import { isBeingDeleted, keyOf, keyText } from "@capstan/kube-values";
import {
  controller,
  watch,
  watchMapped,
  watchOwned,
  type Environment,
  type Request,
  type Result,
} from "@capstan/runtime";
import { BmcJob } from "../api/bmc-job.ts";
import { BmcMachine } from "../api/bmc-machine.ts";
import { BmcTask } from "../api/bmc-task.ts";
import { Hardware } from "../api/hardware.ts";
import { Template } from "../api/template.ts";
import { Workflow, type WorkflowStatus } from "../api/workflow.ts";
import { indexMachines } from "../hardware/same-machine.ts";
import { begin, heldBack, machineTaken } from "./begin.ts";
import { WorkflowReason, WorkflowState } from "./names.ts";
import { finish, prepare, supervise } from "./steps.ts";
import { stateOf } from "./status.ts";
import type { Outcome, Visit } from "./visit.ts";

const byTemplate = "tinkerbell/workflow-template";
const byHardware = "tinkerbell/workflow-hardware";

/** Runs the step that the state of a workflow calls for. */
const stepOf = async (visit: Visit): Promise<Outcome> => {
  switch (stateOf(visit.status)) {
    case "":
      return begin(visit);
    case WorkflowState.pending:
      // Rendered by an older version, which named no ids.
      return visit.status.state === WorkflowState.pending ? { status: visit.status } : begin(visit);
    case WorkflowState.preparing:
      return prepare(visit);
    case WorkflowState.running:
      return supervise(visit);
    case WorkflowState.post:
      return finish(visit);
    default:
      return { status: visit.status };
  }
};

const write = async ({ context, workflow }: Visit, status: WorkflowStatus): Promise<void> => {
  const change = mergePatchOf(workflow.status ?? {}, status);
  if (change === undefined) return;
  // Agents' reports are written by another process: what was read must still be there.
  const body = { metadata: { resourceVersion: workflow.metadata.resourceVersion }, status: change };
  const options = { subresource: "status", signal: context.signal } as const;
  await context.client.patch(Workflow, keyOf(workflow), { type: "merge", body }, options);
};

const failureMessage = ({ conditions = [], tasks = [] }: WorkflowStatus): string => {
  const action = tasks.flatMap(({ actions }) => actions).find(({ state }) => state === "FAILED" || state === "TIMEOUT");
  if (action !== undefined) {
    return `the action ${JSON.stringify(action.name)} ended with ${action.state}: ${action.message ?? ""}`;
  }
  return conditions.find(({ type }) => type === "BootJobFailed")?.message ?? "see its status";
};

/** One event for each end, and for a Template that was rendered. */
const report = ({ context: { events }, workflow }: Visit, status: WorkflowStatus): void => {
  const [before, now] = [stateOf(workflow.status), stateOf(status)];
  if (before === now) return;
  if (before === "") {
    events.event(workflow, {
      type: "Normal",
      reason: WorkflowReason.rendered,
      message: `agent ${status.agentID ?? ""}`,
    });
  } else if (now === WorkflowState.success) {
    events.event(workflow, { type: "Normal", reason: WorkflowReason.succeeded, message: "all actions are done" });
  } else if (now === WorkflowState.failed) {
    events.event(workflow, { type: "Warning", reason: WorkflowReason.failed, message: failureMessage(status) });
  } else if (now === WorkflowState.timeout) {
    const message = `its actions took more than ${status.globalTimeout ?? 0} s in all`;
    events.event(workflow, { type: "Warning", reason: WorkflowReason.timedOut, message });
  }
};

/** States in which the machine has still to be booted, and which may be held. */
const isBeforeBoot = (state: string): boolean => state === "" || state === WorkflowState.preparing;

const reconcile = async (visit: Visit): Promise<Result | undefined> => {
  const state = stateOf(visit.status);
  const held = (state === "" ? heldBack(visit) : undefined) ?? (isBeforeBoot(state) ? machineTaken(visit) : undefined);
  if (held !== undefined) {
    visit.context.events.event(visit.workflow, { type: "Warning", reason: WorkflowReason.held, message: held });
    return undefined;
  }
  const { requeueAfterMs, status } = await stepOf(visit);
  await write(visit, status);
  report(visit, status);
  return requeueAfterMs === undefined ? undefined : { requeueAfterMs };
};

const workflowsOf =
  (index: string) =>
  (object: Template | Hardware, { cache }: Environment): readonly Request[] =>
    cache
      .byIndex(Workflow, index, keyText(keyOf(object)))
      .filter(({ status }) => isBeforeBoot(stateOf(status)))
      .map(keyOf);

const refKey = ({ metadata: { namespace = "" } }: Workflow, name: string | undefined): readonly string[] =>
  name === undefined ? [] : [keyText({ namespace, name })];

/** Renders the Templates of Workflows, boots machines into them, and looks after their end. What agents do, they report to the gateway. */
export const workflowController = (options: { readonly concurrency: number }): ControllerV1 =>
  controller({
    name: "tinkerbell-workflow",
    concurrency: options.concurrency,
    permissions: {
      own: [
        watched(Workflow),
        permission(Workflow, ["patch"], { subresource: "status" }),
        watched(Template),
        watched(Hardware, ["patch"]),
        watched(BmcJob, ["create", "get", "delete"]),
        watched(BmcMachine),
        permission(BmcTask, ["list", "delete"]),
        ...eventPermissions,
      ],
    },
    setup: ({ cache }) => {
      indexMachines(cache);
      const informer = cache.informer(Workflow);
      informer.addIndex(byTemplate, (workflow) => refKey(workflow, workflow.spec?.templateRef));
      informer.addIndex(byHardware, (workflow) => refKey(workflow, workflow.spec?.hardwareRef));
    },
    sources: [
      watch(Workflow),
      watchMapped(Template, workflowsOf(byTemplate)),
      watchMapped(Hardware, workflowsOf(byHardware)),
      watchOwned(BmcJob, Workflow),
    ],
    reconcile: async (request, context) => {
      const workflow = context.cache.get(Workflow, request);
      if (workflow === undefined || isBeingDeleted(workflow)) return undefined;
      return reconcile({ workflow, status: workflow.status ?? {}, context });
    },
  });
