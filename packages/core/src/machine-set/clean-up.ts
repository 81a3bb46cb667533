import type { ContractReference } from "@capstan/contract/wire";
import { controllerOf } from "@capstan/contract/wire";
import { Machine } from "../api.ts";
import { clonedKind } from "../external/clone-template.ts";
import { ownerUidIndex } from "../external/external-objects.ts";
import { keyOf } from "../object/draft.ts";
import type { MachineSetScope } from "./scope.ts";

/**
 * Deletes clones that an interrupted scale-up left behind: owned by the set, taken over by no Machine, and without a
 * Machine of their name. The last is asked live, because the cache may not show a new Machine yet.
 */
export const cleanUpClones = async (scope: MachineSetScope): Promise<void> => {
  const { context, set } = scope;
  const { bootstrap, infrastructureRef } = set.spec.template.spec;
  const known = new Set(scope.machines.map(({ metadata }) => metadata.name));
  const references: readonly ContractReference[] = [
    ...(bootstrap.configRef === undefined ? [] : [bootstrap.configRef]),
    infrastructureRef,
  ];
  for (const { apiGroup, kind } of references) {
    const { resource } = await scope.externals.kind(context, { apiGroup, kind: clonedKind(kind) });
    for (const object of context.cache.byIndex(resource, ownerUidIndex, set.metadata.uid ?? "")) {
      if (known.has(object.metadata.name) || object.metadata.deletionTimestamp !== undefined) continue;
      if (controllerOf(object) !== undefined) continue;
      if ((await context.client.find(Machine, keyOf(object))) !== undefined) continue;
      context.log.info("deleting a clone that no Machine uses", { kind: object.kind, object: object.metadata.name });
      await context.client.delete(resource, keyOf(object));
    }
  }
};
