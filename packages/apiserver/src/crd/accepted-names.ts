import { rfc3339 } from "@capstan/contract";
import { presentFields } from "@capstan/kube-values";
import type { CrdCondition, CrdNames, CrdStatus, CustomResourceDefinition } from "./crd-types.ts";
import { isTrue, withCondition } from "./crd-types.ts";

interface Conflict {
  readonly reason: string;
  readonly message: string;
}

const inUse = (name: string): string => `${JSON.stringify(name)} is already in use`;

/** Names the other definitions of the group have been given. */
const takenNames = (crd: CustomResourceDefinition, all: readonly CustomResourceDefinition[]) => {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const other of all) {
    const names = other.status?.acceptedNames;
    if (other.metadata.name === crd.metadata.name || other.spec.group !== crd.spec.group || names === undefined) {
      continue;
    }
    for (const name of [names.plural, names.singular, ...(names.shortNames ?? [])]) if (name) resources.add(name);
    for (const kind of [names.kind, names.listKind]) if (kind) kinds.add(kind);
  }
  return { resources, kinds };
};

const has = (set: ReadonlySet<string>, name: string | undefined): boolean => name !== undefined && set.has(name);

/** Returns whether names that a definition has been given belong to another one. */
export const hasTakenNames = (crd: CustomResourceDefinition, all: readonly CustomResourceDefinition[]): boolean => {
  const { resources, kinds } = takenNames(crd, all);
  const { plural, singular, shortNames = [], kind, listKind } = crd.status?.acceptedNames ?? ({} as Partial<CrdNames>);
  return (
    [plural, singular, ...shortNames].some((name) => has(resources, name)) || has(kinds, kind) || has(kinds, listKind)
  );
};

/** The names a definition gets: those it asks for, and for those in use the ones it had. */
const acceptNames = (crd: CustomResourceDefinition, all: readonly CustomResourceDefinition[]) => {
  const { resources, kinds } = takenNames(crd, all);
  const wanted = crd.spec.names;
  const had = crd.status?.acceptedNames;
  const conflicts: Conflict[] = [];
  const accept = (name: string | undefined, taken: ReadonlySet<string>, reason: string, before: string | undefined) => {
    if (name === undefined || !taken.has(name)) return name;
    conflicts.push({ reason, message: inUse(name) });
    return before;
  };
  const plural = accept(wanted.plural, resources, "PluralConflict", had?.plural);
  const singular = accept(wanted.singular, resources, "SingularConflict", had?.singular);
  const clashing = (wanted.shortNames ?? []).filter((name) => resources.has(name));
  if (clashing.length > 0) {
    conflicts.push({ reason: "ShortNamesConflict", message: clashing.map(inUse).join(", ") });
  }
  const shortNames = clashing.length > 0 ? had?.shortNames : wanted.shortNames;
  const kind = accept(wanted.kind, kinds, "KindConflict", had?.kind);
  const listKind = accept(wanted.listKind, kinds, "ListKindConflict", had?.listKind);
  const names = {
    plural: plural ?? "",
    singular,
    shortNames,
    kind: kind ?? "",
    listKind,
    categories: wanted.categories,
  };
  return { names: presentFields<CrdNames>(names), conflicts };
};

/**
 * The status with names and the conditions NamesAccepted and Established. Established stays once it is reached.
 * `all` are the definitions there are.
 */
export const withAcceptedNames = (
  crd: CustomResourceDefinition,
  all: readonly CustomResourceDefinition[],
  now: number,
): CrdStatus => {
  const { names, conflicts } = acceptNames(crd, all);
  const [conflict] = conflicts;
  const accepted: Omit<CrdCondition, "lastTransitionTime"> =
    conflict === undefined
      ? { type: "NamesAccepted", status: "True", reason: "NoConflicts", message: "no conflicts found" }
      : { type: "NamesAccepted", status: "False", ...conflict };
  const isEstablished = conflict === undefined || isTrue(crd, "Established");
  const established: Omit<CrdCondition, "lastTransitionTime"> = isEstablished
    ? {
        type: "Established",
        status: "True",
        reason: "InitialNamesAccepted",
        message: "the initial names have been accepted",
      }
    : { type: "Established", status: "False", reason: "NotAccepted", message: "not all names are accepted" };
  const time = rfc3339(now);
  const conditions = withCondition(withCondition(crd.status?.conditions ?? [], accepted, time), established, time);
  return { ...crd.status, conditions, acceptedNames: names };
};
