import type { Clock } from "@capstan/contract";
import { keyFromText, keyOf, keyText, type ObjectKey } from "@capstan/kube-values";
import type { Workflow, WorkflowStatus } from "../api/workflow.ts";
import { WorkflowState } from "../workflow/names.ts";
import { applyReport, type ActionReport } from "./apply-report.ts";
import {
  actionsOf,
  containerOf,
  dueAction,
  hasEnded,
  isAboutTo,
  isInWork,
  type PlacedAction,
} from "./current-action.ts";
import { failedPrecondition, invalidArgument, notFound } from "./rpc-failure.ts";
import type { WorkflowStore } from "./workflow-store.ts";

/** Who calls. */
export interface KnownCaller {
  /** Returns whether it is the agent that it says. */
  readonly isAgent: (agentId: string) => boolean;
  /** Returns whether a Workflow can be one for its machine. */
  readonly mayHave: (workflow: ObjectKey) => boolean;
}

export interface CallParts {
  readonly store: WorkflowStore;
  readonly clock: Clock;
}

export interface CallContext extends KnownCaller {
  readonly signal: AbortSignal;
}

interface Timestamp {
  readonly seconds?: number;
  readonly nanos?: number;
}

/** A time that the sender knew: Go's zero time, and the epoch, are none. */
export const knownTime = (at: Timestamp | null | undefined): number | undefined => {
  const { nanos = 0, seconds = 0 } = at ?? {};
  return seconds > 0 ? seconds * 1000 + Math.floor(nanos / 1_000_000) : undefined;
};

const workflowFor = ({ store }: CallParts, agentId: string, { mayHave }: KnownCaller): Workflow => {
  const workflows = store.ofAgent(agentId).filter((workflow) => mayHave(keyOf(workflow)));
  const found = workflows.find(isInWork);
  if (found !== undefined) return found;
  if (workflows.some(isAboutTo)) throw failedPrecondition("the workflow has no action for this agent now");
  throw notFound();
};

const handedOut = (status: WorkflowStatus, { action, task }: PlacedAction): WorkflowStatus => ({
  ...status,
  currentState: {
    agentID: task.agentID,
    taskID: task.id,
    taskName: task.name,
    actionID: action.id,
    actionName: action.name ?? "",
    state: action.state ?? WorkflowState.pending,
  },
});

/** The action that is due in a workflow, for this agent. */
const dueFor = (workflow: Workflow, agentId: string): PlacedAction => {
  const due = isInWork(workflow) ? dueAction(workflow.status) : undefined;
  if (due === undefined || due.task.agentID !== agentId) throw notFound();
  if (due.action.state === WorkflowState.pending || due.action.state === WorkflowState.running) return due;
  throw failedPrecondition(`the action ${JSON.stringify(due.action.name)} ended with ${due.action.state ?? ""}`);
};

/** Hands out the action that is due for an agent: the next one, or again the one that it has. */
export const getAction = async (parts: CallParts, agentId: string, caller: CallContext) => {
  const { isAgent, signal } = caller;
  if (agentId === "") throw invalidArgument("agent_id is empty");
  if (!isAgent(agentId)) throw notFound();
  const key = keyOf(workflowFor(parts, agentId, caller));
  let due: PlacedAction | undefined;
  await parts.store.change(
    key,
    (workflow) => {
      due = dueFor(workflow, agentId);
      return handedOut(workflow.status ?? {}, due);
    },
    signal,
  );
  if (due === undefined) throw notFound();
  const { namespaces } = due.action;
  return {
    workflowId: keyText(key),
    taskId: due.task.id,
    agentId,
    actionId: due.action.id,
    ...containerOf(due),
    ...(namespaces !== undefined && { namespaces }),
  };
};

export interface AgentReport extends ActionReport {
  readonly workflowId: string;
  readonly agentId: string;
  readonly taskId: string;
  readonly actionId: string;
}

const states: readonly string[] = ["PENDING", "RUNNING", "FAILED", "TIMEOUT", "SUCCESS"];

/** Takes what an agent says of an action. What comes late, after the workflow has ended, changes nothing. */
export const reportAction = async (
  parts: CallParts,
  report: AgentReport,
  { isAgent, mayHave, signal }: CallContext,
): Promise<void> => {
  const { actionId, agentId, taskId, workflowId } = report;
  for (const [name, value] of Object.entries({ workflow_id: workflowId, task_id: taskId, action_id: actionId })) {
    if (value === "") throw invalidArgument(`${name} is empty`);
  }
  if (!states.includes(report.state)) throw invalidArgument("action_state is unspecified");
  if (!/^[^/]+\/[^/]+$/.test(workflowId)) throw invalidArgument("workflow_id must be a namespace and a name");
  const key = keyFromText(workflowId);
  if (!isAgent(agentId) || !mayHave(key)) throw notFound();
  const change = ({ status = {} }: Workflow): WorkflowStatus => {
    const placed = actionsOf(status).find(({ action, task }) => action.id === actionId && task.agentID === agentId);
    if (placed === undefined) throw notFound();
    return hasEnded(status) ? status : applyReport(status, placed, report, parts.clock);
  };
  await parts.store.change(key, change, signal);
};
