import { isJsonObject } from "@capstan/schema";
import { same } from "../resource-id.ts";
import type { Json, StoredResource } from "../state.ts";
import type { World } from "../world.ts";
import { partById } from "./references.ts";
import type { ResourceKind, StoredPart } from "./resource-kind.ts";

/** An etag as network resources have them; their parts have the same. */
export const etagOf = ({ guid, revision }: Pick<StoredResource, "guid" | "revision">): string =>
  `W/"${guid.slice(0, -6)}${revision.toString(16).padStart(6, "0")}"`;

const isPart = (value: unknown): value is StoredPart => isJsonObject(value) && typeof value["name"] === "string";

/** A named part of a resource of the network, with what an answer adds: IDs, types, etags. */
const partView = (
  part: StoredPart,
  collection: string,
  resource: StoredResource,
  derived: (id: string, part: StoredPart) => Json,
): Json => {
  const id = `${resource.id}/${collection}/${part.name}`;
  const { name, state = "Succeeded", properties, ...outer } = part;
  return {
    name,
    id,
    etag: etagOf(resource),
    type: `${resource.type}/${collection}`,
    ...outer,
    properties: { provisioningState: state, ...properties, ...derived(id, part) },
  };
};

/** Lists of named parts in the properties of a resource of the network, as an answer has them. */
const withParts = (resource: StoredResource, derived: (id: string, part: StoredPart) => Json): Json =>
  Object.fromEntries(
    Object.entries(resource.properties).map(([field, value]) => [
      field,
      Array.isArray(value) && value.every(isPart)
        ? value.map((part) => partView(part, field, resource, derived))
        : value,
    ]),
  );

/** A resource as answers show it. */
export const viewOfResource = (resource: StoredResource, kind: ResourceKind, world: World): Json => {
  const { id, name, type, location, tags, state, outer, guid } = resource;
  const isNetwork = kind.hasEtag === true;
  const derived = (partId: string, part: StoredPart): Json => kind.partExtras?.(partId, part, world) ?? {};
  return {
    name,
    id,
    ...(isNetwork ? { etag: etagOf(resource) } : {}),
    type,
    ...(location === "" ? {} : { location }),
    ...(tags === undefined ? {} : { tags }),
    ...outer,
    ...kind.derivedOuter?.(resource, world),
    properties: {
      provisioningState: state,
      ...(isNetwork ? { resourceGuid: guid } : {}),
      ...(isNetwork ? withParts(resource, derived) : resource.properties),
      ...kind.derived?.(resource, world),
    },
  };
};

/** A part of a resource as answers show it. */
export const viewOfPart = (
  id: string,
  resource: StoredResource,
  kind: ResourceKind,
  world: World,
): Json | undefined => {
  const part = partById(resource, id);
  const [collection = ""] = id.slice(resource.id.length + 1).split("/");
  const key = Object.keys(resource.properties).find((name) => same(name, collection));
  if (part === undefined || key === undefined) return undefined;
  return partView(part, key, resource, (partId, of) => kind.partExtras?.(partId, of, world) ?? {});
};
