import type { ContractReference } from "@capstan/contract/wire";
import { controllerOf } from "@capstan/contract/wire";
import { keyOf } from "@capstan/kube-values";
import { ownerUidIndex } from "../external/external-objects.ts";
import { Machines } from "./machine.ts";
import type { Making } from "./maker.ts";

/**
 * Deletes objects of the given kinds that the maker owns and that no Machine uses. Ours belong to their Machine from the start; managers
 * that make them before it can leave some behind when they are interrupted. Whether a Machine has the object's name is asked live.
 */
export const deleteLeftovers = async (
  { context, externals, maker }: Making,
  kinds: readonly Pick<ContractReference, "apiGroup" | "kind">[],
): Promise<void> => {
  for (const wanted of kinds) {
    const { resource } = await externals.kind(context, wanted);
    for (const object of context.cache.byIndex(resource, ownerUidIndex, maker.object.metadata.uid ?? "")) {
      if (object.metadata.deletionTimestamp !== undefined || controllerOf(object) !== undefined) continue;
      if ((await context.client.find(Machines, keyOf(object))) !== undefined) continue;
      context.log.info("deleting an unused object", {
        kind: resource.kind,
        object: object.metadata.name,
      });
      await context.client.delete(resource, keyOf(object));
    }
  }
};
