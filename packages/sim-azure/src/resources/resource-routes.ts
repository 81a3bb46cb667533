import { object, reply, type Reply, type Route } from "@capstan/simulation";
import { refusal, resourceNotFound } from "../arm/refusals.ts";
import { resourceId, same } from "../resource-id.ts";
import { begun } from "../operations/answers.ts";
import { preempted } from "../operations/operations.ts";
import { groupPath, route, subscriptionPath } from "../route.ts";
import type { Json, StoredResource, Tags } from "../state.ts";
import type { World } from "../world.ts";
import { findGroup, resourceById } from "./find.ts";
import { invalidFilter } from "./list-filter.ts";
import { partRoutes } from "./part-routes.ts";
import type { ResourceKind } from "./resource-kind.ts";
import { viewOfResource } from "./views.ts";
import { patched, patchOf } from "./patch.ts";
import { bodyOf, writeResource } from "./write-resource.ts";

interface Named {
  readonly group: string;
  /** Name of its parent resource; most kinds have none. */
  readonly parent: string;
  readonly name: string;
}

/** Where the resources of a type are. Types of three parts are children of the type before the last. */
const pathsOf = ({ type }: ResourceKind) => {
  const [namespace = "", first = "", child] = type.split("/");
  const below = `/providers/${namespace}/${first}`;
  return {
    inGroup: `${groupPath}${below}${child === undefined ? "" : `/:parent/${child}`}`,
    inSubscription: child === undefined ? `${subscriptionPath}${below}` : undefined,
  };
};

/** The routes of a type: reading, writing, deleting, and the lists of a group and of the subscription. */
export const resourceRoutes = (kind: ResourceKind): readonly Route<World>[] => {
  const { inGroup } = pathsOf(kind);
  const path = `${inGroup}/:name` as "/:group/:parent/:name";
  return [
    route({
      method: "GET",
      path,
      query: { ...kind.query?.get },
      handle: ({ params, query }, world) => {
        return expandedView(required(kind, params, world), kind, query, world);
      },
    }),
    route({
      method: "PUT",
      path,
      headers: ["If-Match", "If-None-Match"],
      body: bodyOf(kind),
      handle: ({ params, body, headers, fault }, world) => {
        const id = idOf(kind, params, world);
        requireParent(kind, params, world);
        return writeResource(kind, { group: params.group, name: params.name, id, body, headers, fault }, world);
      },
    }),
    kind.isPatched === true
      ? route({
          method: "PATCH",
          path,
          headers: ["If-Match", "If-None-Match"],
          body: patchOf(kind),
          handle: ({ params, body, headers, fault }, world) => {
            const { id, group, name, ...before } = required(kind, params, world);
            const request = { group, name, id, body: patched(before, body), headers, fault, isPatch: true };
            return writeResource(kind, request, world);
          },
        })
      : route({
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
    ...listRoutes(kind),
    ...partRoutes(kind),
  ];
};

/** A resource with what its reader asks for beside. */
const expandedView = (resource: StoredResource, kind: ResourceKind, query: object, world: World): Json => {
  const view = viewOfResource(resource, kind, world);
  const expanded = kind.expanded?.(resource, query as Json, world);
  return { ...view, properties: { ...(view["properties"] as object), ...expanded } };
};

const listRoutes = (kind: ResourceKind): readonly Route<World>[] => {
  const { inGroup, inSubscription } = pathsOf(kind);
  const list = (
    world: World,
    query: { readonly $filter?: string; readonly $expand?: string },
    fits: (resource: StoredResource) => boolean,
  ) => {
    const { $filter: filter } = query;
    const passes = filter === undefined ? () => true : kind.filter?.(filter);
    if (passes === undefined) throw invalidFilter(filter ?? "");
    return {
      value: world.state.resources
        .filter((resource) => same(resource.type, kind.type) && fits(resource) && passes(resource))
        .map((resource) => expandedView(resource, kind, query, world)),
    };
  };
  return [
    route({
      method: "GET",
      path: inGroup as "/:group/:parent",
      query: { ...kind.query?.list },
      handle: ({ params, query }, world) => {
        const { name } = findGroup(params.group, world);
        requireParent(kind, params, world);
        const scope = idOf(kind, { ...params, name: "" }, world);
        return list(
          world,
          query,
          ({ id, group }) => same(group, name) && id.toLowerCase().startsWith(scope.toLowerCase()),
        );
      },
    }),
    ...(inSubscription === undefined
      ? []
      : [
          route({
            method: "GET",
            path: inSubscription,
            query: { ...kind.query?.list, ...kind.query?.listAll },
            handle: ({ query }, world) => list(world, query, () => true),
          }),
        ]),
  ];
};

const idOf = (kind: ResourceKind, { group, parent, name }: Named, { subscriptionId }: World): string =>
  resourceId(subscriptionId, group, kind.type, kind.type.split("/").length > 2 ? [parent, name] : [name]);

const requireParent = (kind: ResourceKind, { group, parent }: Pick<Named, "group" | "parent">, world: World): void => {
  const types = kind.type.split("/");
  if (types.length < 3) return;
  const type = types.slice(0, -1).join("/");
  if (resourceById(resourceId(world.subscriptionId, group, type, [parent]), world) !== undefined) return;
  throw refusal(
    404,
    "ParentResourceNotFound",
    `Failed to perform operation on nested resource. The parent resource '${type}/${parent}' could not be found.`,
  );
};

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
    world.operations.complete(running.id, preempted);
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
  kind.begun?.(resource, operation, world);
  return begun(status, undefined, operation, kind.delete, world);
};
