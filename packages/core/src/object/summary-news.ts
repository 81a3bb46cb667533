import { conditionsOf } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";

/** Fields that describe how far Machines are, or follow from those that are compared: their change alone may wait. */
const details: ReadonlySet<string> = new Set(["conditions", "deprecated", "upToDateReplicas", "versions"]);

/**
 * Returns the part that others act on of the status of an object that sums Machines up: replicas, phase, generation, and which conditions
 * are true. Two objects with the same news differ in explanations, so that a status that brings none may be held with progress.
 */
export const summaryNews = (object: KubeObject): string => {
  const facts = JSON.stringify(object["status"] ?? {}, (key, value: unknown) => (details.has(key) ? undefined : value));
  const met = conditionsOf(object).flatMap(({ type, status }) => (status === "True" ? type : []));
  return `${facts} ${met.toSorted().join()}`;
};
