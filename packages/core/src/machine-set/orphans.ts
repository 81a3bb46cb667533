import { controllerOf } from "@capstan/contract/wire";
import { clonedKind, ownerUidIndex } from "@capstan/kit/external";
import { keyOf } from "@capstan/kube-values";
import type { Result } from "@capstan/runtime";
import { Machine } from "../api.ts";
import type { MachineSetScope } from "./scope.ts";

/**
 * Deletes clones that the set owns and that no Machine uses. Ours belong to their Machine from the start; managers that make them before
 * it can leave some behind when they are interrupted. Whether a Machine has the clone's name is asked live.
 */
export const deleteOrphans = async (scope: MachineSetScope): Promise<Result> => {
  const { context, externals, set } = scope;
  const { bootstrap, infrastructureRef } = set.spec.template.spec;
  for (const template of [bootstrap.configRef, infrastructureRef]) {
    if (template === undefined) continue;
    const { apiGroup, kind } = template;
    const { resource } = await externals.kind(context, { apiGroup, kind: clonedKind(kind) });
    for (const object of context.cache.byIndex(resource, ownerUidIndex, set.metadata.uid ?? "")) {
      if (object.metadata.deletionTimestamp !== undefined || controllerOf(object) !== undefined) continue;
      if ((await context.client.find(Machine, keyOf(object))) !== undefined) continue;
      context.log.info("deleting a clone that no Machine uses", { kind, object: object.metadata.name });
      await context.client.delete(resource, keyOf(object));
    }
  }
  return {};
};
