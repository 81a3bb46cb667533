import { byText } from "@capstan/kube-values";
import type { Machine, MachineSet } from "../api.ts";
import { isConditionTrue } from "../object/conditions.ts";

export interface Counters {
  readonly replicas: number;
  readonly readyReplicas: number;
  readonly availableReplicas: number;
  readonly upToDateReplicas: number;
}

const count = (machines: readonly Machine[], type: string): number =>
  machines.filter((machine) => isConditionTrue(machine, type)).length;

export const countMachines = (machines: readonly Machine[]): Counters => ({
  replicas: machines.length,
  readyReplicas: count(machines, "Ready"),
  availableReplicas: count(machines, "Available"),
  upToDateReplicas: count(machines, "UpToDate"),
});

/** How many Machines have all labels of the template they are made from. */
export const countFullyLabelled = (
  machines: readonly Machine[],
  { metadata: { labels = {} } = {} }: MachineSet["spec"]["template"],
): number => {
  const wanted = Object.entries(labels);
  return machines.filter(({ metadata }) => wanted.every(([key, value]) => metadata.labels?.[key] === value)).length;
};

const numbers = (version: string): readonly number[] => (version.match(/\d+/g) ?? []).slice(0, 3).map(Number);

/** Order of Kubernetes versions by number, then by text. */
export const byVersion = (a: string, b: string): number => {
  const [left, right] = [numbers(a), numbers(b)];
  const index = [0, 1, 2].find((at) => (left[at] ?? 0) !== (right[at] ?? 0));
  return index === undefined ? byText(a, b) : (left[index] ?? 0) - (right[index] ?? 0);
};

export interface VersionCount {
  readonly version: string;
  readonly replicas?: number;
}

/** How many run each version, from old to new; `undefined` when none is known. */
export const sumVersions = (counts: readonly VersionCount[]): readonly VersionCount[] | undefined => {
  const totals = new Map<string, number>();
  for (const { version, replicas = 0 } of counts) totals.set(version, (totals.get(version) ?? 0) + replicas);
  const sums = [...totals].map(([version, replicas]) => ({ version, replicas })).filter(({ replicas }) => replicas > 0);
  return sums.length === 0 ? undefined : sums.sort((a, b) => byVersion(a.version, b.version));
};

export const machineVersions = (machines: readonly Machine[]): readonly VersionCount[] | undefined =>
  sumVersions(
    machines.flatMap(({ spec }) => (spec.version === undefined ? [] : [{ version: spec.version, replicas: 1 }])),
  );
