import { type OperationFault, reply, type Reply, type Route } from "@capstan/simulation";
import { partNotFound, resourceNotFound } from "../arm/refusals.ts";
import { resourceId, same } from "../resource-id.ts";
import { begun } from "../operations/answers.ts";
import { groupPath, route } from "../route.ts";
import type { Json, StoredOperation, StoredResource } from "../state.ts";
import type { World } from "../world.ts";
import { checkEtags, checkIdle, checkReferences } from "./change-rules.ts";
import { findGroup, resourceById } from "./find.ts";
import { partById } from "./references.ts";
import type { PartKind, ResourceKind, StoredPart } from "./resource-kind.ts";
import { viewOfPart } from "./views.ts";
import { partOf } from "./shapes.ts";
import { writable } from "./writable.ts";

interface PartParams {
  readonly group: string;
  readonly parent: string;
  readonly name: string;
}

interface PartRequest {
  readonly params: PartParams;
  readonly body?: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly fault: OperationFault | undefined;
}

/** The routes of the parts of a type that have addresses of their own. */
export const partRoutes = (kind: ResourceKind): readonly Route<World>[] =>
  Object.entries(kind.parts ?? {}).flatMap(([collection, part]) => routesOf(kind, collection, part));

const routesOf = (kind: ResourceKind, collection: string, part: PartKind): readonly Route<World>[] => {
  const listPath = `${groupPath}/providers/${kind.type}/:parent/${collection}`;
  const list = listPath as "/:group/:parent";
  const path = `${listPath}/:name` as "/:group/:parent/:name";
  const headers = ["If-Match", "If-None-Match"];
  return [
    route({
      method: "GET",
      path: list,
      handle: ({ params }, world) => {
        const parent = parentOf(kind, params, world);
        const parts = (parent.properties[collection] ?? []) as readonly StoredPart[];
        return {
          value: parts.map(({ name }) => viewOfPart(`${parent.id}/${collection}/${name}`, parent, kind, world)),
        };
      },
    }),
    route({
      method: "GET",
      path,
      handle: ({ params }, world) => {
        const parent = parentOf(kind, params, world);
        const id = `${parent.id}/${collection}/${params.name}`;
        const view = viewOfPart(id, parent, kind, world);
        if (view === undefined) throw partNotFound(id);
        return view;
      },
    }),
    route({
      method: "PUT",
      path,
      headers,
      body: partOf(part.properties),
      handle: ({ params, body, headers: given, fault }, world) =>
        writePart(kind, collection, part, { params, body, headers: given, fault }, world),
    }),
    route({
      method: "DELETE",
      path,
      headers,
      handle: ({ params, headers: given, fault }, world) =>
        deletePart(kind, collection, part, { params, headers: given, fault }, world),
    }),
  ];
};

const parentOf = (
  kind: ResourceKind,
  { group, parent }: Pick<PartParams, "group" | "parent">,
  world: World,
): StoredResource => {
  const { name } = findGroup(group, world);
  const found = resourceById(resourceId(world.subscriptionId, name, kind.type, [parent]), world);
  if (found === undefined) throw resourceNotFound(kind.type, parent, name);
  return found;
};

const writePart = async (
  kind: ResourceKind,
  collection: string,
  part: PartKind,
  { params, body, headers, fault }: PartRequest,
  world: World,
): Promise<Reply> => {
  const parent = parentOf(kind, params, world);
  const id = `${parent.id}/${collection}/${params.name}`;
  const before = partById(parent, id);
  checkIdle(parent);
  checkEtags(headers, id, before === undefined ? undefined : parent);
  const { properties = {} } = writable(body, partOf(part.properties)) as { readonly properties?: Json };
  const { state } = part.put;
  const written = { name: before?.name ?? params.name, properties, ...(state === "Succeeded" ? {} : { state }) };
  const change = { resource: withPart(parent, collection, written), before: parent, fault };
  kind.prepare?.(change, world);
  checkReferences(change.resource, world);
  world.state.resources = [...world.state.resources.filter((other) => other !== parent), change.resource];
  await kind.written?.(change, undefined, world);
  const operation = begin(kind, change.resource, { id, verb: "PUT", fault }, world);
  const view = viewOfPart(id, change.resource, kind, world);
  return begun(before === undefined ? part.put.created : part.put.updated, view, operation, part.put, world);
};

const withPart = (parent: StoredResource, collection: string, part: StoredPart): StoredResource => {
  const parts = (parent.properties[collection] ?? []) as readonly StoredPart[];
  const at = parts.findIndex(({ name }) => same(name, part.name));
  return {
    ...parent,
    revision: parent.revision + 1,
    properties: { ...parent.properties, [collection]: at < 0 ? [...parts, part] : parts.with(at, part) },
  };
};

const deletePart = (
  kind: ResourceKind,
  collection: string,
  part: PartKind,
  { params, headers, fault }: PartRequest,
  world: World,
): Reply => {
  const parent = parentOf(kind, params, world);
  const id = `${parent.id}/${collection}/${params.name}`;
  const stored = partById(parent, id);
  if (stored === undefined) return reply(204);
  const running = world.operations.running(id);
  if (stored.state === "Deleting" && running !== undefined) {
    return begun(part.delete.status, undefined, running, part.delete, world);
  }
  checkIdle(parent);
  checkEtags(headers, id, parent);
  const blocker = part.blocker?.(id, world);
  if (blocker !== undefined) throw blocker;
  const deleting = withPart(parent, collection, { ...stored, state: "Deleting" });
  world.state.resources = [...world.state.resources.filter((other) => other !== parent), deleting];
  const operation = begin(kind, deleting, { id, verb: "DELETE", fault }, world);
  return begun(part.delete.status, undefined, operation, part.delete, world);
};

const begin = (
  kind: ResourceKind,
  parent: StoredResource,
  {
    id,
    verb,
    fault,
  }: { readonly id: string; readonly verb: "PUT" | "DELETE"; readonly fault: OperationFault | undefined },
  world: World,
): StoredOperation =>
  world.operations.begin({
    target: id,
    verb,
    form: kind.form,
    location: parent.location,
    group: parent.group,
    ms: world.delays.networkMs,
    fault,
  });
