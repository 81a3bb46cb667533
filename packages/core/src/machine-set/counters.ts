import type { Machine } from "@capstan/kit/machines";
import type { MachineSet } from "../api.ts";

/** Returns the number of Machines that have all labels of the template they are made from. */
export const countFullyLabelled = (
  machines: readonly Machine[],
  { metadata: { labels = {} } = {} }: MachineSet["spec"]["template"],
): number => {
  const wanted = Object.entries(labels);
  return machines.filter(({ metadata }) => wanted.every(([key, value]) => metadata.labels?.[key] === value)).length;
};
