import { conditionOf, conditionsOf, ConditionReason, ConditionType, type Condition } from "@capstan/contract/wire";
import { blockersIn } from "@capstan/kit/machines";
import { groupOf } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { failedBootstrap, isNegative, isTask, mainCondition, taskCondition } from "../object-state/main-condition.ts";
import { whyLacking } from "../object-state/lacking.ts";
import { isUntouched, untouched } from "../object-state/untouched.ts";
import { tellingApart, type Place } from "../view/row-label.ts";
import type { Row } from "../view/row.ts";

/** Follow from others, or from time alone, and say little while another condition is not True. */
const lesser: readonly string[] = ["Ready", "Available", "RemoteConnectionProbe"];

/** That something is to be replaced is no reason why it does not run. */
const isReplaced = ({ type }: Condition): boolean => type === "UpToDate";

const statusOf = (object: KubeObject): Readonly<Record<string, unknown>> =>
  (object["status"] ?? {}) as Record<string, unknown>;

/** The condition that says most about why an object is not ready: the first that is not True and not only a summary of others. */
const decisive = (conditions: readonly Condition[]): Condition | undefined => {
  const bad = conditions.filter((condition) => !isNegative(condition) && condition.status !== "True");
  const open = [...bad.filter((condition) => !isReplaced(condition)), ...bad.filter(isReplaced)];
  return (
    failedBootstrap(conditions) ?? open.find(({ type, message }) => !lesser.includes(type) && message !== "") ?? open[0]
  );
};

/** Behind the bullet, if there is one. */
const depthOf = (line: string): number => line.search(/[^\s*]/);
const isHeading = (line: string): boolean => line.endsWith(":");

/** Lines that say something: of those that say that there is no condition yet, and of their headings, others say more. */
const telling = (lines: readonly string[]): readonly string[] => {
  const said = lines.filter((line) => !/\bCondition (?:\S+ )?not yet reported$/.test(line));
  // From below, since a heading over nothing but headings of nothing is one itself.
  const kept = said.reduceRight<readonly string[]>(
    (below, line) => (isHeading(line) && depthOf(below[0] ?? "") <= depthOf(line) ? below : [line, ...below]),
    [],
  );
  return kept.length === 0 ? lines : kept;
};

/** One line of a message of several: a line that ends in a colon is a heading and takes the next one along. */
const firstLine = (text: string): string => {
  const lines = telling(text.split("\n")).map((line) => line.trim().replace(/^\* /, ""));
  const end = lines.findIndex((line) => !isHeading(line));
  return lines
    .slice(0, end + 1)
    .join(" ")
    .replaceAll(": * ", ": ");
};

/** What has no conditions says by the contract's fields that it is there. */
const isInitialized = ({ ready, initialization = {} }: Readonly<Record<string, unknown>>): boolean => {
  const steps = Object.values(initialization as object);
  return ready === true || (steps.length > 0 && steps.every((step) => step === true));
};

/** Returns whether an object is as it should be. A phase never decides: a Machine whose server is gone stays in phase Running. */
const isGood = (object: KubeObject, conditions: readonly Condition[]): boolean => {
  if (conditions.length === 0) return isInitialized(statusOf(object));
  const main = mainCondition(object);
  if (isTask(object)) return main?.type === "Completed" && main.status === "True";
  if (main !== undefined) return main.status === "True";
  return conditions.every((condition) => isNegative(condition) || condition.status === "True");
};

/** Where an object is, in a word: how many of its Machines are ready, its phase, or what its main condition says. */
const stateOf = (object: KubeObject, conditions: readonly Condition[], good: boolean): string => {
  const { phase, readyReplicas = 0, expectedMachines, currentHealthy = 0 } = statusOf(object);
  const wanted = replicasOf(object);
  if (wanted !== undefined) return `${String(readyReplicas)}/${wanted} ready`;
  if (expectedMachines !== undefined) return `${String(currentHealthy)}/${String(expectedMachines)} healthy`;
  if (typeof phase === "string") return phase === "Running" && !good ? "NotReady" : phase;
  const failed = failedBootstrap(conditions);
  if (failed !== undefined) return `Bootstrap${failed.reason}`;
  const task = taskCondition(object, conditions);
  if (task !== undefined) return task.type;
  return good ? "Ready" : (mainCondition(object)?.reason ?? "Pending");
};

const replicasOf = (object: KubeObject): number | undefined =>
  ((object["spec"] ?? {}) as { readonly replicas?: number }).replicas;

/** Why an object is not further. */
const detailOf = (object: KubeObject, conditions: readonly Condition[]): string => {
  const blockers = blockersIn(object);
  // What has no infrastructure yet waits for that, whatever else waits for it.
  const infrastructure = conditions.find(
    ({ message, status, type }) => type === "InfrastructureReady" && status === "False" && message !== "",
  );
  if (blockers.length > 0) return infrastructure === undefined ? whyLacking(object) : saying(infrastructure);
  const why = taskCondition(object, conditions) ?? decisive(conditions);
  if (why === undefined) return replicasOf(object) === undefined ? "" : (shortfall(object) ?? "");
  return saying(why);
};

/** A reason that stands for none is not worth a line. */
const saying = ({ message, reason }: Condition): string =>
  firstLine(message === "" && reason !== ConditionReason.noReason ? reason : message);

const leavingDetail = (conditions: readonly Condition[]): string => {
  const why = conditions.find(({ type, status }) => type === ConditionType.deleting && status === "True");
  return why === undefined ? "" : saying(why);
};

const isComplete = (object: KubeObject): boolean => {
  const { readyReplicas = 0, expectedMachines, currentHealthy } = statusOf(object);
  if (expectedMachines !== undefined) return expectedMachines === currentHealthy;
  const wanted = replicasOf(object);
  return wanted === undefined || (readyReplicas === wanted && shortfall(object) === undefined);
};

/** Shows an object as a line: where it is, and what it waits for. */
export const rowOf = (object: KubeObject): Row => {
  const conditions = conditionsOf(object);
  const { deletionTimestamp, name = "", namespace = "" } = object.metadata;
  const row = { group: groupOf(object.apiVersion), kind: object.kind, namespace, name };
  if (deletionTimestamp !== undefined) {
    return { ...row, state: "Deleting", detail: leavingDetail(conditions), done: false };
  }
  const good = isGood(object, conditions);
  const done = good && isComplete(object);
  return { ...row, state: stateOf(object, conditions, good), detail: done ? "" : detailOf(object, conditions), done };
};

/** What a set of Machines still lacks; `undefined` when it is as its spec says. */
const shortfall = (set: KubeObject): string | undefined => {
  const wanted = replicasOf(set) ?? 1;
  if (isUntouched(set)) return untouched;
  const { observedGeneration, replicas = 0, upToDateReplicas = wanted, availableReplicas = wanted } = statusOf(set);
  if (observedGeneration !== undefined && observedGeneration !== set.metadata.generation) {
    return "the controller has not observed its last change yet";
  }
  const why = whyLacking(set);
  const because = why === "" ? "" : `: ${why}`;
  if (replicas !== wanted) return `${String(replicas)} of ${wanted} Machines exist${because}`;
  if (upToDateReplicas !== wanted) return `${String(upToDateReplicas)} of ${wanted} Machines are up to date${because}`;
  if (availableReplicas !== wanted) return `${String(availableReplicas)} of ${wanted} Machines are available${because}`;
  return undefined;
};

const reasonOf = (row: Row, several: boolean): string =>
  `${saidName(row, several)}: ${row.state}${row.detail === "" ? "" : `: ${row.detail}`}`;

/** `Kind name`, with the namespace where there are several. */
const saidName = ({ kind, namespace, name }: Place, several: boolean): string =>
  `${kind} ${several ? `${namespace}/` : ""}${name}`;

const placeOf = ({ apiVersion, kind, metadata }: KubeObject): Place => ({
  group: groupOf(apiVersion),
  kind,
  namespace: metadata.namespace ?? "",
  name: metadata.name ?? "",
});

/** No one works on what is paused: what it says of itself stays as it was. */
export const isHeld = (object: KubeObject): boolean => conditionOf(object, ConditionType.paused)?.status === "True";

/** Why what makes Machines is not as it should be: by its numbers, which say most, else by its conditions. */
const ownerReason = (owner: KubeObject, several: boolean): string | undefined => {
  const lacking = shortfall(owner);
  if (lacking !== undefined) return `${saidName(placeOf(owner), several)}: ${lacking}`;
  const row = rowOf(owner);
  return row.done || isHeld(owner) ? undefined : reasonOf(row, several);
};

/**
 * Returns whether every desired Machine runs, what sums them up says so too, and nothing of their making is left; and if not,
 * why. What a Cluster waits for comes first, since its Machines wait for it.
 */
export const machinesVerdict = (facts: {
  readonly clusters: readonly KubeObject[];
  readonly machines: readonly KubeObject[];
  /** What makes Machines and is not made by something else. */
  readonly owners: readonly KubeObject[];
  /** What has bootstrap data in an object store that its controller still has to delete. */
  readonly stored: readonly KubeObject[];
}): { readonly running: boolean; readonly reasons: readonly string[] } => {
  const { namespaced: several } = tellingApart([...facts.clusters, ...facts.machines, ...facts.owners].map(placeOf));
  const notDone = (objects: readonly KubeObject[]): readonly string[] =>
    objects
      .map(rowOf)
      .filter(({ done }) => !done)
      .map((row) => reasonOf(row, several));
  const reasons = [
    ...notDone(facts.clusters.filter((cluster) => !isHeld(cluster))),
    ...facts.owners.flatMap((owner) => ownerReason(owner, several) ?? []),
    ...notDone(facts.machines),
    ...(facts.machines.length === 0 ? ["there is no Machine"] : []),
    ...facts.stored.map(
      (object) => `${saidName(placeOf(object), several)}: its bootstrap data is still in the object store`,
    ),
  ];
  return { running: reasons.length === 0, reasons };
};
