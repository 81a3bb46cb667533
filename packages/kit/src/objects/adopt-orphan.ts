import { isCapstanError } from "@capstan/contract";
import { controllerOf, ownerReference, withOwnerReference } from "@capstan/contract/wire";
import type { ReconcileContext } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import { keyOf } from "@capstan/kube-values";

/** Reasons of Events about objects without an owner. */
const AdoptionReason = { adopted: "SuccessfulAdopt", failed: "FailedAdopt" } as const;

/** Returns whether the owner controls the object. */
export const isControlledBy = (object: KubeObject, owner: KubeObject): boolean =>
  controllerOf(object)?.uid === owner.metadata.uid;

/**
 * Adopts an object without a controller, and records the outcome in an event. Fails with `kube.conflict`, without an event,
 * when the object was written meanwhile: it may have found another owner.
 */
export const adoptOrphan = async <T extends KubeObject>(
  { client, events }: Pick<ReconcileContext, "client" | "events">,
  { kind, orphan }: { readonly kind: Resource<T>; readonly orphan: T },
  { ownerKind, owner }: { readonly ownerKind: Resource; readonly owner: KubeObject },
): Promise<T> => {
  const { name, resourceVersion, ownerReferences } = orphan.metadata;
  const reference = ownerReference(ownerKind, owner, { controller: true, blockOwnerDeletion: true });
  const metadata = { resourceVersion, ownerReferences: withOwnerReference(ownerReferences, reference) };
  try {
    const adopted = await client.patch(kind, keyOf(orphan), { type: "merge", body: { metadata } });
    events.event(owner, { type: "Normal", reason: AdoptionReason.adopted, message: `Adopted ${kind.kind} ${name}` });
    return adopted;
  } catch (error) {
    if (!isCapstanError(error, "kube.conflict")) {
      const why = error instanceof Error ? error.message : String(error);
      const message = `Could not adopt ${kind.kind} ${name}: ${why}`;
      events.event(owner, { type: "Warning", reason: AdoptionReason.failed, message });
    }
    throw error;
  }
};
