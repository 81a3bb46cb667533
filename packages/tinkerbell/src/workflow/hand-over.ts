import { rfc3339 } from "@capstan/contract";
import type { WorkflowStatus, WorkflowTask } from "../api/workflow.ts";
import { WorkflowState } from "./names.ts";

/** The first task that still has something to do. */
const unfinished = (tasks: readonly WorkflowTask[]): WorkflowTask | undefined =>
  tasks.find(({ actions }) => actions.some(({ state }) => state !== WorkflowState.success));

/** When the task of one agent is done, the agent of the next one is given the workflow. */
export const handedOver = (status: WorkflowStatus): WorkflowStatus => {
  const next = unfinished(status.tasks ?? []);
  if (next === undefined || next.agentID === status.agentID) return status;
  return next.actions[0]?.state === WorkflowState.pending ? { ...status, agentID: next.agentID } : status;
};

/** The time limit of all actions counts from the first one that an agent has begun. */
export const armed = (status: WorkflowStatus, now: number): WorkflowStatus => {
  const { globalExecutionStop, globalTimeout = 0, tasks = [] } = status;
  if (globalTimeout <= 0 || globalExecutionStop !== undefined) return status;
  const begun = tasks.flatMap(({ actions }) => actions).find(({ state }) => state !== WorkflowState.pending);
  if (begun === undefined) return status;
  const begin = begun.executionStart === undefined ? now : Math.min(now, Date.parse(begun.executionStart));
  return { ...status, globalExecutionStop: rfc3339(begin + globalTimeout * 1000) };
};

/** Milliseconds that are left of the time limit; `undefined` when there is none. */
export const timeLeft = ({ globalExecutionStop }: WorkflowStatus, now: number): number | undefined =>
  globalExecutionStop === undefined ? undefined : Date.parse(globalExecutionStop) - now;
