import { isCapstanError } from "@capstan/contract";
import { ownerReference, withOwnerReference } from "@capstan/contract/wire";
import { keyOf } from "@capstan/kube-values";
import type { ReconcileContext } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";

/**
 * Makes an object that nobody controls the owner's own, and tells the owner's users how that went. Fails with `kube.conflict`, and tells
 * nobody, when the object was written meanwhile: it may have found another owner.
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
    events.event(owner, { type: "Normal", reason: "SuccessfulAdopt", message: `Adopted ${kind.kind} ${name}` });
    return adopted;
  } catch (error) {
    if (!isCapstanError(error, "kube.conflict")) {
      const why = error instanceof Error ? error.message : String(error);
      const message = `Could not adopt ${kind.kind} ${name}: ${why}`;
      events.event(owner, { type: "Warning", reason: "FailedAdopt", message });
    }
    throw error;
  }
};
