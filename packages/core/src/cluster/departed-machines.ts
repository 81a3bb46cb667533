import { keyOf, keyText } from "@capstan/kube-values";
import type { Cluster, Machine } from "../api.ts";

/** Time for which a deleted Machine is remembered, in milliseconds: servers that join late do so within it. */
const rememberMs = 3_600_000;

/** Record of a Machine that is gone. */
export interface DepartedMachine {
  readonly name: string;
  readonly providerID: string | undefined;
  readonly addresses: readonly string[];
  /** In milliseconds since the epoch. */
  readonly since: number;
}

interface Seen {
  readonly present: ReadonlyMap<string, Machine>;
  readonly departed: readonly DepartedMachine[];
}

const departedMachine = ({ metadata, spec, status }: Machine, since: number): DepartedMachine => ({
  name: metadata.name ?? "",
  providerID: spec.providerID,
  addresses: addressesOf(status),
  since,
});

/** The addresses that a Machine has reported. */
export const addressesOf = (status: Machine["status"]): readonly string[] =>
  (status?.addresses ?? []).map(({ address }) => address);

/**
 * Machines that went while this process looked, however they went: their Node may appear when no one waits for it any more, and then only
 * what they reported tells whose it is.
 */
export class DepartedMachines {
  readonly #clusters = new Map<string, Seen>();

  /** Those of a Cluster that went within the last hour, as they were seen last. `now`: in milliseconds since the epoch. */
  after(cluster: Cluster, machines: readonly Machine[], now: number): readonly DepartedMachine[] {
    const key = keyText(keyOf(cluster));
    const { present: before = new Map<string, Machine>(), departed = [] } = this.#clusters.get(key) ?? {};
    const present = new Map(machines.map((machine) => [machine.metadata.uid ?? "", machine]));
    const gone = [...before].flatMap(([uid, machine]) => (present.has(uid) ? [] : [departedMachine(machine, now)]));
    const remembered = [...departed, ...gone].filter(({ since }) => now - since < rememberMs);
    this.#clusters.set(key, { present, departed: remembered });
    return remembered;
  }

  /** Nothing is looked for any more. */
  forget(cluster: Cluster): void {
    this.#clusters.delete(keyText(keyOf(cluster)));
  }
}
