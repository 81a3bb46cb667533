import type { Clock, Random } from "@capstan/contract";
import { rfc3339 } from "@capstan/contract";
import type { WorkflowStatus, WorkflowTask } from "../api/workflow.ts";
import type { ActionDefinition, TaskDefinition, WorkflowDefinition } from "../template/definition.ts";
import { WorkflowCondition, WorkflowReason, WorkflowState } from "./names.ts";
import { ulid } from "./ulid.ts";

interface Statement {
  readonly type: string;
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

/** The status with a condition; its time changes only when something else of it does. */
export const withCondition = (status: WorkflowStatus, statement: Statement, clock: Clock): WorkflowStatus => {
  const { conditions = [] } = status;
  const old = conditions.find(({ type }) => type === statement.type);
  const same =
    old !== undefined &&
    old.status === statement.status &&
    old.reason === statement.reason &&
    (old.message ?? "") === statement.message;
  if (same) return status;
  const others = conditions.filter(({ type }) => type !== statement.type);
  return { ...status, conditions: [...others, { ...statement, time: rfc3339(clock.now()) }] };
};

/** Returns the status of a workflow whose Template cannot be rendered. */
export const notRendered = (status: WorkflowStatus, message: string, clock: Clock): WorkflowStatus =>
  withCondition(
    { ...status, templateRendering: "failed" },
    { type: WorkflowCondition.templateRendered, status: "False", reason: WorkflowReason.error, message },
    clock,
  );

const unlessEmpty = <T extends string | readonly unknown[] | object>(name: string, value: T) =>
  (typeof value === "string" ? value : Object.values(value).filter((of) => of !== "")).length === 0
    ? {}
    : { [name]: value };

const newAction = ({ name, image, timeout, ...action }: ActionDefinition, id: string) => ({
  id,
  name,
  image,
  timeout,
  ...unlessEmpty("command", action.command),
  ...unlessEmpty("volumes", action.volumes),
  ...unlessEmpty("environment", action.environment),
  ...unlessEmpty("pid", action.pid),
  ...unlessEmpty("namespaces", action.namespaces),
  state: WorkflowState.pending,
});

const newTask = (task: TaskDefinition, nextId: () => string): WorkflowTask => ({
  id: nextId(),
  name: task.name,
  agentID: task.worker,
  ...unlessEmpty("volumes", task.volumes),
  ...unlessEmpty("environment", task.environment),
  actions: task.actions.map((action) => newAction(action, nextId())),
});

/** The status of a workflow that has just been rendered; `state` is where it begins. */
export const newStatus = (
  { globalTimeout, tasks }: WorkflowDefinition,
  state: WorkflowState,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): WorkflowStatus => {
  const status: WorkflowStatus = {
    agentID: tasks[0]?.worker ?? "",
    state,
    templateRendering: "successful",
    ...(globalTimeout > 0 && { globalTimeout }),
    tasks: tasks.map((task) => newTask(task, () => ulid(clock, random))),
  };
  const rendered = {
    type: WorkflowCondition.templateRendered,
    status: "True",
    reason: WorkflowReason.complete,
  } as const;
  return withCondition(status, { ...rendered, message: "the Template was rendered" }, clock);
};

/** The state of a workflow; older ones have a prefix. */
export const stateOf = (status: WorkflowStatus | undefined): string => (status?.state ?? "").replace(/^STATE_/, "");
