import { Annotation } from "@capstan/contract";
import type { ObjectMeta } from "@capstan/schema";

/** The revision an object carries; 0 when it carries none that can be read. */
export const revisionOf = ({ metadata }: { readonly metadata: ObjectMeta }): number => {
  const revision = Number(metadata.annotations?.[Annotation.revision] ?? 0);
  return Number.isInteger(revision) ? revision : 0;
};

/** The revision of the current set: above that of every other, and never lower than it was. */
export const nextRevision = (
  current: { readonly metadata: ObjectMeta } | undefined,
  others: readonly { readonly metadata: ObjectMeta }[],
): number => Math.max(current === undefined ? 0 : revisionOf(current), Math.max(0, ...others.map(revisionOf)) + 1);
