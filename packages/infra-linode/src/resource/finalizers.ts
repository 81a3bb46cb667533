import { Group } from "@capstan/contract";
import type { HoldNames } from "@capstan/kit/engine";
import { holdNamesOf } from "@capstan/kit/engine";
import type { ObjectKey } from "@capstan/kube-values";
import type { Resource } from "@capstan/schema";

/** The finalizer of a kind, and the one it had in older versions of upstream's provider. */
export const finalizersOf = ({ kind }: Pick<Resource, "kind">) => ({
  finalizer: `${kind.toLowerCase()}.${Group.infrastructure}`,
  oldFinalizers: [`${Group.infrastructure}/v1alpha2`],
});

/** Maximum length of a finalizer's name after the slash. */
const longest = 63;

/** The finalizer by which upstream's provider keeps a Secret for an object. */
const upstreamHold = (kind: string, { name, namespace = "" }: ObjectKey): string =>
  `${kind.toLowerCase()}.${Group.infrastructure}/${namespace}.${name}`;

/**
 * The finalizers on Secrets: upstream's, with the object's name, where that fits. `shared`: one for all objects of the kind, since a fleet
 * would write to its Secret once for each of them; upstream's are taken off all the same once their object is gone.
 */
export const secretHoldNames = (
  kind: Pick<Resource, "group" | "kind">,
  { shared = false }: { readonly shared?: boolean } = {},
): HoldNames => {
  const ours = holdNamesOf(kind);
  const prefix = `${kind.kind.toLowerCase()}.${Group.infrastructure}/`;
  const ofOthers = (user: ObjectKey): string => upstreamHold(kind.kind, user);
  return {
    of: (user) => (shared || ofOthers(user).length > prefix.length + longest ? ours.of(user) : ofOthers(user)),
    isOne: (finalizer) => ours.isOne(finalizer) || finalizer.startsWith(prefix),
    ofOthers,
  };
};
