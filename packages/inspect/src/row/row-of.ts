import { conditionsOf, ConditionReason, ConditionType, type Condition } from "@capstan/contract/wire";
import { blockersIn } from "@capstan/kit/machines";
import { groupOf } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { failedBootstrap, isNegative, isTask, mainCondition, taskCondition } from "../state/main-condition.ts";
import { whyLacking } from "../state/lacking.ts";
import { whyPaused } from "../state/why-paused.ts";
import { replicasOf, shortfall, statusOf } from "./shortfall.ts";
import type { Row } from "./row.ts";

/** Follow from others, or from time alone, and say little while another condition is not True. */
const lesser: readonly string[] = ["Ready", "Available", "RemoteConnectionProbe"];

/** That something is to be replaced is no reason why it does not run. */
const isReplaced = ({ type }: Condition): boolean => type === "UpToDate";

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

/** True if an object without conditions is initialized according to the contract's fields. */
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
    return { ...row, state: "Deleting", detail: whyPaused(object) || leavingDetail(conditions), done: false };
  }
  const good = isGood(object, conditions);
  const done = good && isComplete(object);
  return { ...row, state: stateOf(object, conditions, good), detail: done ? "" : detailOf(object, conditions), done };
};
