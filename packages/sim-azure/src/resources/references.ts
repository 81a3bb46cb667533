import { isJsonObject } from "@capstan/schema";
import { isWithin, same } from "../resource-id.ts";
import type { StoredResource } from "../state.ts";
import type { World } from "../world.ts";
import type { StoredPart } from "./resource-kind.ts";

/** One thing that names another by its ID. */
export interface Reference {
  readonly resource: StoredResource;
  /** The resource, or the part of it, that names the other. */
  readonly from: string;
  readonly to: string;
}

const partsIn = (resource: StoredResource, collection: string): readonly StoredPart[] => {
  const key = Object.keys(resource.properties).find((name) => same(name, collection));
  const parts = key === undefined ? undefined : resource.properties[key];
  return Array.isArray(parts) ? (parts as readonly StoredPart[]) : [];
};

/** The part of a resource that has an ID. */
export const partById = (resource: StoredResource, id: string): StoredPart | undefined => {
  const [collection = "", name = "", ...more] = id.slice(resource.id.length + 1).split("/");
  return more.length > 0 ? undefined : partsIn(resource, collection).find((part) => same(part.name, name));
};

/** The resource that an ID means, or whose part it means, if there is that part. */
export const referent = (id: string, resources: readonly StoredResource[]): StoredResource | undefined =>
  resources.find((resource) => same(resource.id, id)) ??
  resources.find((resource) => isWithin(id, resource.id) && partById(resource, id) !== undefined);

/** Everything that a resource names in its properties. */
export const referencesOf = (resource: StoredResource): readonly Reference[] => {
  const found: Reference[] = [];
  const visit = (value: unknown, from: string, key: string): void => {
    if (Array.isArray(value)) {
      for (const item of value as readonly unknown[]) visit(item, from, key);
    } else if (isJsonObject(value) && key !== "imageReference") {
      const { id, name } = value;
      const here = typeof name === "string" && key !== "" ? `${from}/${key}/${name}` : from;
      if (typeof id === "string" && id.startsWith("/")) found.push({ resource, from: here, to: id });
      for (const [field, entry] of Object.entries(value)) visit(entry, here, field === "properties" ? "" : field);
    }
  };
  visit(resource.properties, resource.id, "");
  return found;
};

/** Who names a resource, or a part of it, from outside of it. */
export const referrers = (id: string, { state }: Pick<World, "state">): readonly Reference[] =>
  state.resources
    .flatMap((resource) => referencesOf(resource))
    .filter(({ to, resource }) => isWithin(to, id) && !isWithin(id, resource.id));
