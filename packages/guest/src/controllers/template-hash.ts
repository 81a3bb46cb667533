import { fnv1a } from "@capstan/kube-values";
import type { PodTemplate } from "../kinds/workload-kinds.ts";

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, part]) => [name, sorted(part)]));
};

/** A short text that differs when templates do. */
export const templateHash = (template: PodTemplate): string => fnv1a(JSON.stringify(sorted(template))).toString(36);
