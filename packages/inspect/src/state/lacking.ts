import { conditionsOf, ConditionType } from "@capstan/contract/wire";
import { blockersIn, ReplicasCondition } from "@capstan/kit/machines";
import type { KubeObject } from "@capstan/schema";
import { whyPaused } from "./why-paused.ts";

/** The lines of a message without their bullets; a heading takes the line below it along. */
const flat = (message: string): string =>
  message
    .split("\n")
    .map((line) => line.trim().replace(/^\* /, ""))
    .reduce((text, line) => (text === "" ? line : `${text}${text.endsWith(":") ? " " : "; "}${line}`), "");

/** Says no more than how many replicas are missing. */
const counts: readonly string[] = ["NotAvailable", "WaitingForReplicasSet", "WaitingForAvailableReplicasSet"];

/**
 * Why what makes Machines lacks some, in one line: that it is paused, else what keeps it from making them, else what its Machines
 * say, else what keeps its controller from looking at it; empty when no one knows.
 */
export const whyLacking = (object: KubeObject): string => {
  const paused = whyPaused(object);
  if (paused !== "") return paused;
  const blockers = blockersIn(object);
  if (blockers.length > 0) return blockers.map(flat).join("; ");
  const bad = conditionsOf(object).filter(({ status, message }) => status !== "True" && message !== "");
  const ready = bad.find(({ type }) => type === ReplicasCondition.machinesReady);
  const available = bad.find(({ type, reason }) => type === ConditionType.available && !counts.includes(reason));
  return flat((ready ?? available)?.message ?? "");
};
