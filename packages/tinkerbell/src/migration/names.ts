import { createHash } from "node:crypto";
import { isDnsLabel, suffixedName } from "@capstan/kube-values";

/** Annotations that keep the ids of the PostgreSQL age. */
export const legacyId = {
  Hardware: "hardware.tinkerbell.org/id",
  Template: "template.tinkerbell.org/id",
  Workflow: "workflow.tinkerbell.org/id",
} as const;

export type MigratedKind = keyof typeof legacyId;

const asLabel = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 63)
    .replace(/^-+|-+$/g, "");

/**
 * Names for objects of one kind, by their ids: what they were called where that is free and can be a name, otherwise with an end that
 * follows from the id. The order of the objects makes no difference.
 */
export const namesFor = (
  kind: MigratedKind,
  called: readonly { readonly id: string; readonly name: string }[],
): ReadonlyMap<string, string> => {
  const wanted = called.map(({ id, name }) => ({ id, name: asLabel(name) }));
  const count = Map.groupBy(wanted, ({ name }) => name);
  return new Map(
    wanted.map(({ id, name }) => {
      if (isDnsLabel(name) && count.get(name)?.length === 1) return [id, name];
      const end = createHash("sha256").update(id).digest("hex").slice(0, 8);
      return [id, suffixedName(isDnsLabel(name) ? name : kind.toLowerCase(), end)];
    }),
  );
};
