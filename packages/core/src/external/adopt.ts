import { CapstanError, Label } from "@capstan/contract";
import { controllerOf, describeObject, sameJson, withOwnerReference } from "@capstan/contract/wire";
import type { KubeObject, OwnerReference } from "@capstan/schema";
import type { Store } from "../object/draft.ts";
import { keyOf } from "../object/draft.ts";
import type { ExternalObject } from "@capstan/kit/external";
import { CoreErrorCode } from "../errors.ts";

const taken = (object: KubeObject, by: OwnerReference, wanted: OwnerReference): CapstanError =>
  new CapstanError({
    code: CoreErrorCode.externalObjectTaken,
    reason: "ExternalObjectTaken",
    message: `${describeObject(object)} is already controlled by ${by.kind} ${by.name} and cannot serve ${wanted.kind} ${wanted.name} too; let every ${wanted.kind} refer to an object of its own`,
  });

/**
 * Gives a provider's object its owner and the label of its Cluster, which is what providers wait for. The reference that
 * a set or control plane left on a clone is taken away. Throws `core.external_object_taken`.
 */
export const adoptExternal = async (
  { client }: Pick<Store, "client">,
  external: ExternalObject,
  adoption: {
    readonly owner: OwnerReference;
    readonly clusterName: string;
    /** The owner that made the clone, and that the new owner replaces. */
    readonly maker?: OwnerReference | undefined;
  },
): Promise<ExternalObject> => {
  const { object } = external;
  const { owner, maker } = adoption;
  const controller = controllerOf(object);
  const isMaker = (reference: OwnerReference): boolean =>
    reference.uid === maker?.uid || (reference.kind === maker?.kind && reference.name === maker?.name);
  const isOwner = (reference: OwnerReference): boolean =>
    reference.kind === owner.kind && reference.name === owner.name;
  if (owner.controller === true && controller !== undefined && !isMaker(controller) && !isOwner(controller))
    throw taken(object, controller, owner);
  const before = object.metadata.ownerReferences ?? [];
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
