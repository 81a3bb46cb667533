import type { VersionCount } from "@capstan/contract/wire";
import { byText } from "@capstan/kube-values";
import { isConditionTrue } from "../objects/conditions.ts";
import type { Machine } from "./machine.ts";

export interface Counters {
  readonly replicas: number;
  readonly readyReplicas: number;
  readonly availableReplicas: number;
  readonly upToDateReplicas: number;
}

/** Returns the number of Machines whose condition is True. */
export const countTrue = (machines: readonly Machine[], type: string): number =>
  machines.filter((machine) => isConditionTrue(machine, type)).length;

export const countMachines = (machines: readonly Machine[]): Counters => ({
  replicas: machines.length,
  readyReplicas: countTrue(machines, "Ready"),
  availableReplicas: countTrue(machines, "Available"),
  upToDateReplicas: countTrue(machines, "UpToDate"),
});

const numbers = (version: string): readonly number[] => (version.match(/\d+/g) ?? []).slice(0, 3).map(Number);

/** Order of Kubernetes versions by number, then by text. */
const byVersion = (a: string, b: string): number => {
  const [left, right] = [numbers(a), numbers(b)];
  const index = [0, 1, 2].find((at) => (left[at] ?? 0) !== (right[at] ?? 0));
  return index === undefined ? byText(a, b) : (left[index] ?? 0) - (right[index] ?? 0);
};

/** Returns the count per version, from old to new; `undefined` if none is known. */
export const sumVersions = (counts: readonly VersionCount[]): readonly VersionCount[] | undefined => {
  const totals = new Map<string, number>();
  for (const { version, replicas = 0 } of counts) totals.set(version, (totals.get(version) ?? 0) + replicas);
  const sums = [...totals].map(([version, replicas]) => ({ version, replicas })).filter(({ replicas }) => replicas > 0);
  return sums.length === 0 ? undefined : sums.sort((a, b) => byVersion(a.version, b.version));
};

/** Returns the number of Machines per version, as returned by `versionOf`. */
export const machineVersions = (
  machines: readonly Machine[],
  versionOf: (machine: Machine) => string | undefined = ({ spec }) => spec.version,
): readonly VersionCount[] | undefined =>
  sumVersions(
    machines.flatMap((machine) => {
      const version = versionOf(machine);
      return version === undefined ? [] : [{ version, replicas: 1 }];
    }),
  );
