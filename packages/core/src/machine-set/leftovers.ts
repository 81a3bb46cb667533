import { Annotation } from "@capstan/contract";
import type { ContractReference } from "@capstan/contract/wire";
import { controllerOf } from "@capstan/contract/wire";
import type { KubeObject, Resource } from "@capstan/schema";
import { Machine } from "../api.ts";
import { clonedKind } from "@capstan/kit/external";
import { ownerUidIndex } from "@capstan/kit/external";
import { keyOf } from "../object/draft.ts";
import type { MachineSetScope } from "./scope.ts";

/** A clone that an interrupted scale-up left behind: owned by the set, and without a Machine of its name. */
export interface Leftover {
  readonly resource: Resource;
  readonly object: KubeObject;
  /** Made from the template that new Machines are made from. */
  readonly current: boolean;
}

const isFrom = (object: KubeObject, template: ContractReference): boolean =>
  object.metadata.annotations?.[Annotation.clonedFromName] === template.name &&
  object.metadata.annotations[Annotation.clonedFromGroupKind] === `${template.kind}.${template.apiGroup}`;

/** Whether a Machine has the clone's name is asked live, because the cache may not show a new Machine yet. */
export const findLeftovers = async (scope: MachineSetScope): Promise<readonly Leftover[]> => {
  const { context, set } = scope;
  const { bootstrap, infrastructureRef } = set.spec.template.spec;
  const known = new Set(scope.machines.map(({ metadata }) => metadata.name));
  const found: Leftover[] = [];
  for (const template of bootstrap.configRef === undefined
    ? [infrastructureRef]
    : [bootstrap.configRef, infrastructureRef]) {
    const { apiGroup, kind } = template;
    const { resource } = await scope.externals.kind(context, { apiGroup, kind: clonedKind(kind) });
    for (const object of context.cache.byIndex(resource, ownerUidIndex, set.metadata.uid ?? "")) {
      if (known.has(object.metadata.name) || object.metadata.deletionTimestamp !== undefined) continue;
      if (controllerOf(object) !== undefined) continue;
      if ((await context.client.find(Machine, keyOf(object))) !== undefined) continue;
      found.push({ resource, object, current: isFrom(object, template) });
    }
  }
  return found;
};

/** Names under which an interrupted scale-up can be taken up again. */
export const reusableNames = (leftovers: readonly Leftover[]): readonly string[] => {
  const names = leftovers.map(({ object }) => object.metadata.name ?? "");
  const outdated = new Set(leftovers.filter(({ current }) => !current).map(({ object }) => object.metadata.name));
  return [...new Set(names)].filter((name) => !outdated.has(name));
};

/** Deletes leftovers that no new Machine will use. */
export const deleteLeftovers = async (
  { context }: MachineSetScope,
  leftovers: readonly Leftover[],
  isUseful: (name: string) => boolean,
): Promise<void> => {
  for (const { resource, object } of leftovers) {
    if (isUseful(object.metadata.name ?? "")) continue;
    context.log.info("deleting a clone that no Machine uses", { kind: object.kind, object: object.metadata.name });
    await context.client.delete(resource, keyOf(object));
  }
};
