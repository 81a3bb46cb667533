import { CapstanError, isCapstanError, Label } from "@capstan/contract";
import { controllerOf, describeObject, withOwnerReference } from "@capstan/contract/wire";
import { isOwnedBy } from "@capstan/kube";
import { groupOf, keyOf } from "@capstan/kube-values";
import type { ReconcileContext } from "@capstan/runtime";
import { type KubeObject, type OwnerReference, sameJson } from "@capstan/schema";
import type { ExternalObject } from "@capstan/kit/machines";
import { CoreErrorCode } from "../errors.ts";
import type { ExternalObservation } from "./observation.ts";

const taken = (object: KubeObject, by: OwnerReference, wanted: OwnerReference): CapstanError =>
  new CapstanError({
    code: CoreErrorCode.externalObjectTaken,
    reason: "ExternalObjectTaken",
    message: `${describeObject(object)} already belongs to ${by.kind} ${by.name} and cannot serve ${wanted.kind} ${wanted.name} too; let every ${wanted.kind} refer to an object of its own`,
  });

/**
 * Deletes an object a Machine or Cluster refers to. What its owner has not adopted, because that failed, goes only as it was seen: by
 * now another may have adopted it. Throws `kube.conflict` then.
 */
export const deleteExternal = async (
  { client }: Pick<ReconcileContext, "client">,
  { object, resource }: ExternalObject,
  owner: KubeObject,
): Promise<void> => {
  const { uid, resourceVersion } = object.metadata;
  const preconditions = {
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && !isOwnedBy(object, owner) && { resourceVersion }),
  };
  await client.delete(resource, keyOf(object), { preconditions });
};

interface Adoption {
  readonly owner: OwnerReference;
  readonly clusterName: string;
  /** The owner that made the clone, and that the new owner replaces. */
  readonly maker?: OwnerReference | undefined;
}

/**
 * Gives a provider's object its owner and the label of its Cluster, which is what providers wait for. The reference that
 * a set or control plane left on a clone is removed. What belongs to another object of the owner's kind is reported as taken: its
 * owner neither believes what it says nor deletes it. Throws `core.external_object_taken`.
 */
export const adoptExternal = async (
  store: Pick<ReconcileContext, "client">,
  external: ExternalObject,
  adoption: Adoption,
  observed: (observation: ExternalObservation) => void,
): Promise<ExternalObject> => {
  try {
    const adopted = await adopt(store, external, adoption);
    observed({ state: "found", external: adopted });
    return adopted;
  } catch (error) {
    const { apiVersion, kind, metadata } = external.object;
    const reference = { apiGroup: groupOf(apiVersion), kind, name: metadata.name ?? "" };
    if (isCapstanError(error, CoreErrorCode.externalObjectTaken)) observed({ state: "taken", reference, error });
    throw error;
  }
};

const adopt = async (
  { client }: Pick<ReconcileContext, "client">,
  external: ExternalObject,
  adoption: Adoption,
): Promise<ExternalObject> => {
  const { object } = external;
  const { owner, maker } = adoption;
  const controller = controllerOf(object);
  const isMaker = (reference: OwnerReference): boolean =>
    reference.uid === maker?.uid || (reference.kind === maker?.kind && reference.name === maker?.name);
  const isOwner = (reference: OwnerReference): boolean =>
    reference.kind === owner.kind && reference.name === owner.name;
  const before = object.metadata.ownerReferences ?? [];
  const holders = [
    ...(owner.controller === true && controller !== undefined ? [controller] : []),
    ...before.filter(
      ({ apiVersion, kind }) => kind === owner.kind && groupOf(apiVersion) === groupOf(owner.apiVersion),
    ),
  ];
  // Of several owners of one kind, as others allow them, it serves the first.
  const holder = holders.find((reference) => !isMaker(reference));
  if (holder !== undefined && !isOwner(holder)) throw taken(object, holder, owner);
  const ownerReferences = withOwnerReference(
    before.filter((reference) => !isMaker(reference)),
    owner,
  );
  const labelled = object.metadata.labels?.[Label.clusterName] === adoption.clusterName;
  if (labelled && sameJson(before, ownerReferences)) return external;
  const answer = await client.patch(external.resource, keyOf(object), {
    type: "merge",
    body: {
      metadata: {
        resourceVersion: object.metadata.resourceVersion,
        ownerReferences,
        labels: { [Label.clusterName]: adoption.clusterName },
      },
    },
  });
  return { ...external, object: answer };
};
