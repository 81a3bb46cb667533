import { Group } from "@capstan/contract";
import type { Resource } from "@capstan/schema";

/** The finalizer of a kind, and the one it had in older versions of upstream's provider. */
export const finalizersOf = ({ kind }: Pick<Resource, "kind">) => ({
  finalizer: `${kind.toLowerCase()}.${Group.infrastructure}`,
  oldFinalizers: [`${Group.infrastructure}/v1alpha2`],
});
