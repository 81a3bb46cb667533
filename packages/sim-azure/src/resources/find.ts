import { groupNotFound } from "../arm/refusals.ts";
import { same } from "../resource-id.ts";
import type { StoredGroup, StoredResource } from "../state.ts";
import type { World } from "../world.ts";

export const findGroup = (name: string, { state }: Pick<World, "state">): StoredGroup => {
  const found = state.groups.find((group) => same(group.name, name));
  if (found === undefined) throw groupNotFound(name);
  return found;
};

/** A resource by its ID in any letter case. */
export const resourceById = (id: string, { state }: Pick<World, "state">): StoredResource | undefined => {
  const wanted = id.toLowerCase();
  return state.resources.find((resource) => resource.id.toLowerCase() === wanted);
};
