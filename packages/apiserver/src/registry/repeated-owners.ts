import { type KubeObject, sameJson } from "@capstan/schema";

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
  const repeated = ownerReferences.filter((owner, index) =>
    ownerReferences.slice(0, index).some((earlier) => earlier.uid === owner.uid && sameJson(earlier, owner)),
  );
  if (repeated.length === 0) return object;
  const uids = repeated.map(({ uid }) => uid).join(", ");
  const when = asSent ? "" : " after mutating admission happens";
  warn(`.metadata.ownerReferences contains duplicate entries${when}; ${advice}; duplicate UID(s) observed: ${uids}`);
  const kept = ownerReferences.filter((owner) => !repeated.includes(owner));
  return { ...object, metadata: { ...object.metadata, ownerReferences: kept } };
};
