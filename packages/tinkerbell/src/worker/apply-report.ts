import { rfc3339, type Clock } from "@capstan/contract";
import type { WorkflowAction, WorkflowStatus } from "../api/workflow.ts";
import { WorkflowState } from "../workflow/names.ts";
import { actionsOf, dueAction, isInWork, type PlacedAction } from "./current-action.ts";
import { failedPrecondition } from "./rpc-failure.ts";

/** Report of an agent about an action. */
export interface ActionReport {
  readonly state: string;
  /** Milliseconds since the epoch. */
  readonly start?: number;
  readonly stop?: number;
  readonly duration?: string;
  readonly message?: string;
}

/** Characters of a message that are kept, from its end. */
const longestMessage = 4096;

const reported = (action: WorkflowAction, report: ActionReport, clock: Clock): WorkflowAction => {
  const { duration = "", message = "", start, state, stop } = report;
  // When an action began is known from here on, even if the agent does not say it.
  const begin = start === undefined ? (action.executionStart ?? rfc3339(clock.now())) : rfc3339(start);
  return {
    ...action,
    state,
    executionStart: begin,
    ...(stop !== undefined && { executionStop: rfc3339(stop) }),
    ...(duration !== "" && { executionDuration: duration }),
    ...(message !== "" && { message: message.slice(-longestMessage) }),
  };
};

const isLast = (status: WorkflowStatus, { index }: PlacedAction): boolean => index === actionsOf(status).length - 1;

/**
 * The status after a report; the same one when it says nothing new: a report that comes twice, or of an action that has ended. Throws
 * for an action whose turn it is not.
 */
export const applyReport = (
  status: WorkflowStatus,
  placed: PlacedAction,
  report: ActionReport,
  clock: Clock,
): WorkflowStatus => {
  const { action, task } = placed;
  if (action.state === WorkflowState.success) return status;
  if (!isInWork({ status })) throw failedPrecondition("the workflow does not run");
  const due = dueAction(status);
  if (due?.action.id !== action.id) {
    throw failedPrecondition(`the action ${JSON.stringify(action.name)} is not the one that is due`);
  }
  const next = reported(action, report, clock);
  const tasks = (status.tasks ?? []).map((each) =>
    each.id === task.id ? { ...each, actions: each.actions.map((of) => (of.id === action.id ? next : of)) } : each,
  );
  const done = report.state === WorkflowState.success;
  const state = !done ? report.state : isLast(status, placed) ? WorkflowState.post : WorkflowState.running;
  return {
    ...status,
    tasks,
    state,
    currentState: {
      agentID: task.agentID,
      taskID: task.id,
      taskName: task.name,
      actionID: action.id,
      actionName: action.name ?? "",
      state: report.state,
    },
  };
};
