import { keyFromText, keyOf, keyText, type ObjectKey } from "@capstan/kube-values";
import type { Workflow, WorkflowStatus } from "../api/workflow.ts";
import { applyReport } from "./apply-report.ts";
import type { CallContext, CallParts, KnownCaller } from "./agent-calls.ts";
import { actionsOf, containerOf, dueAction, hasEnded, isInWork } from "./current-action.ts";
import { invalidArgument, notFound } from "./rpc-failure.ts";

/** Workflow ids of one generation of workers. Workers up to v0.8 name a folder by the id, so it must not contain a slash. */
export interface WorkflowNaming {
  readonly idOf: (workflow: Workflow) => string;
  readonly find: (parts: CallParts, id: string, isMine: (workflow: Workflow) => boolean) => ObjectKey | undefined;
}

/** Names without a namespace; where several have one, it is the caller's. */
export const plainNames: WorkflowNaming = {
  idOf: ({ metadata }) => metadata.name ?? "",
  find: ({ store }, id, isMine) => {
    const mine = store.ofName(id).find(isMine);
    return mine && keyOf(mine);
  },
};

export const fullNames: WorkflowNaming = {
  idOf: (workflow) => keyText(keyOf(workflow)),
  find: (_, id) => (/^[^/]+\/[^/]+$/.test(id) ? keyFromText(id) : undefined),
};

/** The workflows in which a worker has something to do, each with how far it is. */
export const workflowContexts = (
  { store }: CallParts,
  workerId: string,
  { idOf }: WorkflowNaming,
  { isAgent, mayHave }: KnownCaller,
) => {
  if (workerId === "") throw invalidArgument("worker_id is empty");
  if (!isAgent(workerId)) throw notFound();
  return store.ofAgent(workerId).flatMap((workflow) => {
    const due = isInWork(workflow) && mayHave(keyOf(workflow)) ? dueAction(workflow.status) : undefined;
    if (due === undefined || due.task.agentID !== workerId) return [];
    return [
      {
        workflowId: idOf(workflow),
        currentWorker: workerId,
        currentTask: due.task.name,
        currentAction: due.action.name ?? "",
        currentActionIndex: due.index,
        currentActionState: due.action.state ?? "PENDING",
        totalNumberOfActions: actionsOf(workflow.status).length,
      },
    ];
  });
};

const agentsOf = ({ status }: Workflow): readonly string[] => [
  ...new Set((status?.tasks ?? []).map(({ agentID }) => agentID)),
];

/** All actions of a workflow, for one of the workers that take part in it. */
export const workflowActions = async (
  parts: CallParts,
  workflowId: string,
  { find }: WorkflowNaming,
  { isAgent, mayHave, signal }: CallContext,
) => {
  if (workflowId === "") throw invalidArgument("workflow_id is empty");
  const isMine = (workflow: Workflow): boolean => mayHave(keyOf(workflow)) && agentsOf(workflow).some(isAgent);
  const key = find(parts, workflowId, isMine);
  const workflow = key && (await parts.store.read(key, signal));
  if (workflow === undefined || !isMine(workflow)) throw notFound();
  return actionsOf(workflow.status).map((placed) => ({
    taskName: placed.task.name,
    workerId: placed.task.agentID,
    ...containerOf(placed),
  }));
};

/** Report of a worker about an action. */
export interface WorkerReport {
  readonly workflowId: string;
  readonly taskName: string;
  readonly actionName: string;
  readonly state: string;
  readonly seconds: number;
  readonly message: string;
}

/** A worker tells how long an action took when it has ended; when it began is noted at its first report. */
const timesOf = ({ seconds, state }: WorkerReport, now: number) =>
  state === "RUNNING" || state === "PENDING" ? {} : { stop: now, duration: `${seconds}s` };

const notCurrent = "task_name and action_name must be those of the current action";

/** Takes what a worker says of an action, which must be the one that is due. */
export const reportWorkerAction = async (
  parts: CallParts,
  report: WorkerReport,
  { find }: WorkflowNaming,
  { isAgent, mayHave, signal }: CallContext,
): Promise<void> => {
  const { actionName, message, state, taskName, workflowId } = report;
  for (const [name, value] of Object.entries({
    workflow_id: workflowId,
    task_name: taskName,
    action_name: actionName,
  })) {
    if (value === "") throw invalidArgument(`${name} is empty`);
  }
  const key = find(parts, workflowId, (workflow) => mayHave(keyOf(workflow)) && agentsOf(workflow).some(isAgent));
  if (key === undefined || !mayHave(key)) throw notFound();
  const change = ({ status = {} }: Workflow): WorkflowStatus => {
    const placed = actionsOf(status).find(({ action, task }) => task.name === taskName && action.name === actionName);
    // No one learns from it what workflows and actions others have.
    const mine = (status.tasks ?? []).some(({ agentID }) => isAgent(agentID));
    if (!mine || (placed !== undefined && !isAgent(placed.task.agentID))) throw notFound();
    if (hasEnded(status)) return status;
    if (placed === undefined) throw invalidArgument(notCurrent);
    const current = dueAction(status)?.action.id;
    // Workers of these generations know this code for an action that is not their current one.
    if (placed.action.state !== "SUCCESS" && isInWork({ status }) && placed.action.id !== current) {
      throw invalidArgument(notCurrent);
    }
    return applyReport(status, placed, { state, message, ...timesOf(report, parts.clock.now()) }, parts.clock);
  };
  await parts.store.change(key, change, signal);
};
