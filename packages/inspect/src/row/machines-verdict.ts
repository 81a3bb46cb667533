import { conditionOf, ConditionType } from "@capstan/contract/wire";
import { groupOf } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { type Place, tellingApart } from "./row-label.ts";
import { rowOf } from "./row-of.ts";
import type { Row } from "./row.ts";
import { shortfall } from "./shortfall.ts";

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
  /** Objects that make Machines and are not made by another object. */
  readonly owners: readonly KubeObject[];
  /** Objects with bootstrap data in an object store that their controller still has to delete. */
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
