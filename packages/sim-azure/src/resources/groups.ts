import { object, reply, type Reply, type Route, text } from "@capstan/simulation";
import { refusal } from "../arm/refusals.ts";
import { groupId, isWithin, same } from "../resource-id.ts";
import { begun } from "../operations/answers.ts";
import { groupPath, route, subscriptionPath } from "../route.ts";
import type { StoredGroup, StoredOperation, OperationError } from "../state.ts";
import type { World } from "../world.ts";
import { findGroup } from "./find.ts";
import { filterOf } from "./list-filter.ts";
import { pageOf, pageQuery } from "./list-page.ts";
import { locationOf } from "./locations.ts";
import { referencesOf } from "./references.ts";
import { readOnly } from "./writable.ts";

const groupView = ({ name, location, tags, state }: StoredGroup, { subscriptionId }: World) => ({
  id: groupId(subscriptionId, name),
  name,
  type: "Microsoft.Resources/resourceGroups",
  location,
  ...(tags === undefined ? {} : { tags }),
  properties: { provisioningState: state },
});

const body = object({
  id: readOnly,
  name: readOnly,
  type: readOnly,
  properties: readOnly,
  managedBy: text({ nullable: true }),
  location: text({ min: 1 }),
  tags: { type: "strings" },
});

/** Letters, digits, and signs of which the last is no period. */
const names = /^[-\w.()]{0,89}[-\w()]$/;

const writeGroup = (
  name: string,
  { location, tags }: { readonly location?: string; readonly tags?: Readonly<Record<string, string>> },
  world: World,
): Reply => {
  if (!names.test(name)) {
    throw refusal(
      400,
      "InvalidResourceGroupName",
      `The provided resource group name '${name}' has these invalid characters, or ends with a period.`,
      "name",
    );
  }
  if (location === undefined) {
    throw refusal(400, "LocationRequired", "The location property is required for this definition.", "location");
  }
  const { groups } = world.state;
  const before = groups.find((group) => same(group.name, name));
  const place = locationOf(location).name;
  if (before?.state === "Deleting") {
    throw refusal(
      409,
      "ResourceGroupBeingDeleted",
      `The resource group '${name}' is in deprovisioning state and cannot perform this operation.`,
    );
  }
  if (before !== undefined && before.location !== place) {
    throw refusal(
      409,
      "InvalidResourceGroupLocation",
      `Invalid resource group location '${location}'. The Resource group already exists in location '${before.location}'.`,
      "location",
    );
  }
  if (before !== undefined) {
    before.tags = tags;
    return reply(200, groupView(before, world));
  }
  const group: StoredGroup = { name, location: place, tags, state: "Succeeded" };
  groups.push(group);
  return reply(201, groupView(group, world));
};

/** Everything in a group goes with it: machines first, the rest when they are gone. */
const deleteGroup = (
  name: string,
  fault: Parameters<World["operations"]["begin"]>[0]["fault"],
  world: World,
): Reply => {
  const group = findGroup(name, world);
  const target = groupId(world.subscriptionId, group.name);
  const announcement = { location: true };
  const running = world.operations.running(target);
  if (running !== undefined) return begun(202, undefined, running, announcement, world);
  group.state = "Deleting";
  const operation = world.operations.begin({
    target,
    verb: "DELETE",
    form: "group",
    location: group.location,
    group: group.name,
    ms: world.delays.deleteMs + world.delays.groupMs,
    fault,
  });
  return begun(202, undefined, operation, announcement, world);
};

/** Takes a group away, unless something elsewhere needs what is in it. */
export const finishGroup = (operation: StoredOperation, world: World): OperationError | undefined => {
  const { state } = world;
  const group = state.groups.find(({ name }) => same(name, operation.group));
  if (group === undefined) return undefined;
  if (operation.status === "Failed") {
    group.state = "Succeeded";
    return undefined;
  }
  const inside = state.resources.filter((resource) => same(resource.group, group.name));
  const needed = state.resources
    .filter((resource) => !same(resource.group, group.name))
    .flatMap((resource) => referencesOf(resource))
    .find(({ to }) => isWithin(to, operation.target));
  if (needed !== undefined) {
    group.state = "Succeeded";
    return {
      code: "ResourceGroupDeletionBlocked",
      message: `Deletion of resource group '${group.name}' failed as resources with identifiers '${needed.to}' could not be deleted: ${needed.from} uses it.`,
    };
  }
  for (const resource of inside) world.remove(resource);
  state.groups = state.groups.filter((other) => other !== group);
  state.roleAssignments = state.roleAssignments.filter(({ scope }) => !isWithin(scope, operation.target));
  return undefined;
};

/** Resource groups. */
export const groupRoutes: readonly Route<World>[] = [
  route({
    method: "PUT",
    path: groupPath,
    body,
    handle: ({ params, body: given }, world) => writeGroup(params.group, given, world),
  }),
  route({
    method: "PATCH",
    path: groupPath,
    body: object({ tags: { type: "strings" } }),
    handle: ({ params, body: { tags } }, world) => {
      const group = findGroup(params.group, world);
      if (tags !== undefined) group.tags = tags;
      return groupView(group, world);
    },
  }),
  route({
    method: "GET",
    path: groupPath,
    handle: ({ params }, world) => groupView(findGroup(params.group, world), world),
  }),
  route({
    method: "HEAD",
    path: groupPath,
    handle: ({ params }, { state }) => reply(state.groups.some(({ name }) => same(name, params.group)) ? 204 : 404),
  }),
  route({
    method: "DELETE",
    path: groupPath,
    query: { forceDeletionTypes: text() },
    handle: ({ params, fault }, world) => deleteGroup(params.group, fault, world),
  }),
  route({
    method: "GET",
    path: `${subscriptionPath}/resourceGroups`,
    query: { $filter: text(), ...pageQuery },
    handle: ({ query, serverUrl }, world) => {
      const { $filter } = query;
      const all = world.state.groups.filter(filterOf($filter)).map((group) => groupView(group, world));
      const address = `${serverUrl}/subscriptions/${world.subscriptionId}/resourceGroups`;
      return pageOf(all, query, address, { "api-version": "2021-04-01", $filter });
    },
  }),
];
