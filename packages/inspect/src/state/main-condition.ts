import { conditionsOf, ConditionType, MachineResource, type Condition } from "@capstan/contract/wire";
import { type KubeObject, own } from "@capstan/schema";

/** The condition that sums a kind up, by kind; of all others `Ready`, else `Available`. */
const mainTypes: Readonly<Record<string, readonly string[]>> = {
  Cluster: [ConditionType.available, ConditionType.ready],
  MachineDeployment: [ConditionType.available],
  MachinePool: [ConditionType.available],
  MachineSet: ["MachinesReady"],
  MachineHealthCheck: ["RemediationAllowed"],
  // Of board management: what is done once.
  Job: ["Completed"],
  Task: ["Completed"],
};

/** The types of condition that sum a kind up, the one that counts most first. */
export const mainTypesOf = (kind: string): readonly string[] =>
  own(mainTypes, kind) ?? [ConditionType.ready, ConditionType.available];

const negative: ReadonlySet<string> = new Set([
  "Deleting",
  "Paused",
  "Remediating",
  "RollingOut",
  "ScalingDown",
  "ScalingUp",
  "Updating",
]);

/** Returns whether the good state of a condition is that it is not true. */
export const isNegative = ({ type }: Pick<Condition, "type">): boolean => negative.has(type);

/** A server that runs is ready; that its bootstrapping failed says more. Its Machine waits for the Node, and says so itself. */
const failedServer = (object: KubeObject, conditions: readonly Condition[]): Condition | undefined =>
  object.kind === MachineResource.kind ? undefined : failedBootstrap(conditions);

/**
 * Returns the condition in which the server reported a failed bootstrap: it explains more than anything else that waits
 * for the server.
 */
export const failedBootstrap = (conditions: readonly Condition[]): Condition | undefined =>
  conditions.find(({ type, status }) => type === ConditionType.bootstrapSucceeded && status === "False");

/** Returns whether something is done once, and then over. */
export const isTask = ({ kind }: Pick<KubeObject, "kind">): boolean => mainTypesOf(kind).includes("Completed");

const taskTypes: readonly string[] = ["Completed", "Failed", "Running"];

/** Where a task stands: completed, failed, or running. */
export const taskCondition = (object: KubeObject, conditions: readonly Condition[]): Condition | undefined =>
  isTask(object)
    ? taskTypes
        .map((type) => conditions.find((condition) => condition.type === type && condition.status === "True"))
        .find((condition) => condition !== undefined)
    : undefined;

/** Where an object stands in one condition; `undefined` when no one has said so. */
export const mainCondition = (object: KubeObject): Condition | undefined => {
  const conditions = conditionsOf(object);
  return (
    failedServer(object, conditions) ??
    taskCondition(object, conditions) ??
    mainTypesOf(object.kind)
      .map((type) => conditions.find((condition) => condition.type === type))
      .find((condition) => condition !== undefined)
  );
};
