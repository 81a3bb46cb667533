import { Label } from "@capstan/contract";
import { controllerOf, describeObject, ownerReference } from "@capstan/contract/wire";
import { CapstanError } from "@capstan/contract";
import type { ObjectKey } from "@capstan/kube-values";
import { apiVersionOf } from "@capstan/schema";
import type { KubeObject, ObjectMeta, Resource } from "@capstan/schema";
import type { UsePlace } from "./use.ts";

/** An object to create, as the author states it; kind, namespace, owner and the cluster's label are added. */
export type Draft<W extends KubeObject> = Omit<W, "apiVersion" | "kind" | "metadata" | "status"> & {
  readonly metadata: Pick<ObjectMeta, "labels" | "annotations" | "finalizers"> & { readonly name: string };
};

/** The key of an object in the namespace of the one that uses it. */
export const keyIn = ({ identity: { namespace } }: UsePlace, name: string): ObjectKey => ({ namespace, name });

/** The whole object, owned and controlled by the one that uses it. */
export const wholeObject = <W extends KubeObject>(place: UsePlace, kind: Resource<W>, draft: Draft<W>): KubeObject => {
  const { identity, kind: ownerKind, object } = place;
  const { clusterName } = identity;
  return {
    ...draft,
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: {
      ...draft.metadata,
      ...keyIn(place, draft.metadata.name),
      labels: { ...draft.metadata.labels, ...(clusterName === "" ? {} : { [Label.clusterName]: clusterName }) },
      ownerReferences: [ownerReference(ownerKind, object, { controller: true, blockOwnerDeletion: true })],
    },
  };
};

/** Returns whether the one that uses it controls the object. */
export const isOwn = ({ identity: { uid } }: UsePlace, object: KubeObject): boolean =>
  controllerOf(object)?.uid === uid;

/** The object with this name has another owner. */
export const nameTaken = ({ object: owner }: UsePlace, present: KubeObject): CapstanError => {
  const isBeside = present.metadata.namespace === owner.metadata.namespace;
  const { kind: by, name } = controllerOf(present) ?? { kind: "nobody", name: "" };
  const whose = isBeside ? `controlled by ${by} ${name}; rename or delete it` : "somebody else's";
  return new CapstanError({
    code: "kit.owned_name_taken",
    reason: "NameTaken",
    message: `${describeObject(owner)} needs a ${present.kind} named ${present.metadata.name}, but the existing one is ${whose}`,
  });
};
