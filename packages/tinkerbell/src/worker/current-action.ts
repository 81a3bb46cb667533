import type { Workflow, WorkflowAction, WorkflowStatus, WorkflowTask } from "../api/workflow.ts";
import { WorkflowState } from "../workflow/names.ts";
import { stateOf } from "../workflow/status.ts";

/** An action in its workflow. */
export interface PlacedAction {
  readonly task: WorkflowTask;
  readonly action: WorkflowAction;
  /** Among the actions of all tasks, from 0. */
  readonly index: number;
}

/** The actions of all tasks in order. */
export const actionsOf = (status: WorkflowStatus | undefined): readonly PlacedAction[] =>
  (status?.tasks ?? [])
    .flatMap((task) => task.actions.map((action) => ({ task, action })))
    .map((placed, index) => ({ ...placed, index }));

/** The action that is due: the first that has not succeeded. */
export const dueAction = (status: WorkflowStatus | undefined): PlacedAction | undefined =>
  actionsOf(status).find(({ action }) => action.state !== WorkflowState.success);

const inWork: readonly string[] = [WorkflowState.pending, WorkflowState.running];
const beforeOrAfter: readonly string[] = [WorkflowState.preparing, WorkflowState.post];

/** Returns whether its actions may be handed out. */
export const isInWork = ({ status }: Pick<Workflow, "status">): boolean =>
  inWork.includes(stateOf(status)) && dueAction(status) !== undefined;

/** Returns whether it will be, or has just been. */
export const isAboutTo = ({ status }: Workflow): boolean => beforeOrAfter.includes(stateOf(status));

/** Returns whether nothing changes any more. */
export const hasEnded = (status: WorkflowStatus | undefined): boolean => {
  const state = stateOf(status);
  return state !== "" && !inWork.includes(state) && !beforeOrAfter.includes(state);
};

/** Seconds of an action that has no limit of its own: 0 would mean at once to agents, and an hour to workers. */
const defaultTimeout = 3600;

const pairs = (environment: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(environment)
    .map(([name, value]) => `${name}=${value}`)
    .sort();

/** Returns the fields of an action that every generation of workers receives. */
export const containerOf = ({ action, task }: PlacedAction) => ({
  name: action.name ?? "",
  image: action.image ?? "",
  timeout: action.timeout === undefined || action.timeout <= 0 ? defaultTimeout : action.timeout,
  command: action.command ?? [],
  volumes: [...(task.volumes ?? []), ...(action.volumes ?? [])],
  environment: pairs({ ...task.environment, ...action.environment }),
  pid: action.namespaces?.pid ?? action.pid ?? "",
});
