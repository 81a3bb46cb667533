import { object, reply, type Reply, type Route, text } from "@capstan/simulation";
import { resourceNotFound } from "../arm/refusals.ts";
import { resourceId, same } from "../arm/resource-id.ts";
import { begun } from "../operations/answers.ts";
import { groupPath, route, subscriptionPath } from "../route.ts";
import type { StoredResource, Tags } from "../state.ts";
import type { World } from "../world.ts";
import { findGroup, resourceById } from "./find.ts";
import { partRoutes } from "./part-routes.ts";
import type { ResourceKind } from "./resource-kind.ts";
import { viewOfResource } from "./views.ts";
import { bodyOf, writeResource } from "./write-resource.ts";

interface Named {
  readonly group: string;
  readonly name: string;
}

/** The routes of a type: reading, writing, deleting, and the lists of a group and of the subscription. */
export const resourceRoutes = (kind: ResourceKind): readonly Route<World>[] => {
  const collectionPath = `/providers/${kind.type}`;
  const path = `${groupPath}${collectionPath}/:name` as "/:group/:name";
  const list = (world: World, fits: (resource: StoredResource) => boolean) => ({
    value: world.state.resources
      .filter((resource) => same(resource.type, kind.type) && fits(resource))
      .map((resource) => viewOfResource(resource, kind, world)),
  });
  return [
    route({
      method: "GET",
      path,
      query: { ...kind.query?.get },
      handle: ({ params, query }, world) => {
        const resource = required(kind, params, world);
        return { ...viewOfResource(resource, kind, world), ...kind.expanded?.(resource, query, world) };
      },
    }),
    route({
      method: "PUT",
      path,
      headers: ["If-Match", "If-None-Match"],
      body: bodyOf(kind),
      handle: ({ params, body, headers, fault }, world) => writeResource(kind, { params, body, headers, fault }, world),
    }),
    route({
      method: "PATCH",
      path,
      body: object({ tags: { type: "strings" } }, ["tags"]),
      handle: ({ params, body }, world) => tag(kind, required(kind, params, world), body.tags, world),
    }),
    route({
      method: "DELETE",
      path,
      query: { ...kind.query?.delete },
      headers: ["If-Match"],
      handle: ({ params, query, fault }, world) => deleteResource(kind, { params, query, fault }, world),
    }),
    route({
      method: "GET",
      path: `${groupPath}${collectionPath}` as "/:group",
      handle: ({ params: { group } }, world) => {
        findGroup(group, world);
        return list(world, (resource) => same(resource.group, group));
      },
    }),
    route({
      method: "GET",
      path: `${subscriptionPath}${collectionPath}`,
      query: { statusOnly: text() },
      handle: (_, world) => list(world, () => true),
    }),
    ...partRoutes(kind),
  ];
};

const idOf = (kind: ResourceKind, { group, name }: Named, { subscriptionId }: World): string =>
  resourceId(subscriptionId, group, kind.type, [name]);

const required = (kind: ResourceKind, params: Named, world: World): StoredResource => {
  const { name } = findGroup(params.group, world);
  const found = resourceById(idOf(kind, params, world), world);
  if (found === undefined) throw resourceNotFound(kind.type, params.name, name);
  return found;
};

const tag = (kind: ResourceKind, resource: StoredResource, tags: Tags | undefined, world: World): unknown => {
  resource.tags = tags;
  resource.revision += 1;
  return viewOfResource(resource, kind, world);
};

const deleteResource = (
  kind: ResourceKind,
  {
    params,
    query,
    fault,
  }: {
    readonly params: Named;
    readonly query: object;
    readonly fault: Parameters<World["operations"]["begin"]>[0]["fault"];
  },
  world: World,
): Reply => {
  findGroup(params.group, world);
  const resource = resourceById(idOf(kind, params, world), world);
  if (resource === undefined) return reply(204);
  const { status } = kind.delete;
  const running = world.operations.running(resource.id);
  if (resource.state === "Deleting" && running !== undefined) {
    return begun(status, undefined, running, kind.delete, world);
  }
  const blocker = kind.blocker?.(resource, world);
  if (blocker !== undefined) throw blocker;
  if (kind.delete.asyncOperation !== true && kind.delete.location !== true) {
    world.remove(resource);
    return reply(status);
  }
  if (running !== undefined) {
    world.operations.complete(running.id, {
      code: "OperationPreempted",
      message: "The operation has been preempted by a more recent operation.",
    });
  }
  resource.state = "Deleting";
  resource.revision += 1;
  const waits = kind.leaving?.(resource, query as Readonly<Record<string, unknown>>, world) ?? false;
  const operation = world.operations.begin({
    target: resource.id,
    verb: "DELETE",
    form: kind.form,
    location: resource.location,
    group: resource.group,
    ms: waits ? undefined : world.delays.networkMs,
    expectedMs: world.delays.deleteMs,
    fault,
  });
  return begun(status, undefined, operation, kind.delete, world);
};
