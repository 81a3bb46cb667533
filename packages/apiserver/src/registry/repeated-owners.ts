import type { KubeObject } from "@capstan/schema";
import { canonicalJson } from "@capstan/schema/structural";

const advice =
  "API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests";

/**
 * The object with each owner reference once, in its first place; whoever repeats one is warned in the words of Kubernetes. `asSent`: it is
 * what the client has sent itself, not the outcome of a patch or of admission.
 */
export const withoutRepeatedOwners = (
  object: KubeObject,
  { asSent, warn }: { readonly asSent: boolean; readonly warn: (message: string) => void },
): KubeObject => {
  const { ownerReferences = [] } = object.metadata;
  if (ownerReferences.length < 2) return object;
  const seen = new Set<string>();
  const repeated = new Set(ownerReferences.filter((owner) => seen.size === seen.add(canonicalJson(owner)).size));
  if (repeated.size === 0) return object;
  const uids = [...repeated].map(({ uid }) => uid).join(", ");
  const when = asSent ? "" : " after mutating admission happens";
  warn(`.metadata.ownerReferences contains duplicate entries${when}; ${advice}; duplicate UID(s) observed: ${uids}`);
  const kept = ownerReferences.filter((owner) => !repeated.has(owner));
  return { ...object, metadata: { ...object.metadata, ownerReferences: kept } };
};
