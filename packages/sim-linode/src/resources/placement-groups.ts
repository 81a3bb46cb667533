import type { PlacementGroup } from "@capstan/linode-client";
import { boolean, integer, invalid, list, object, type Route, text } from "@capstan/simulation";
import { named, resource } from "../api/resource.ts";
import { route } from "../api/route.ts";
import { note } from "../events.ts";
import { regionWith } from "../seed.ts";
import type { SimulatorState, StoredInstance, StoredPlacementGroup } from "../state.ts";
import type { World } from "../world.ts";
import { uniqueLabel } from "./account-rules.ts";

const label = text({ min: 1, max: 64, pattern: /^[a-zA-Z0-9](?:[a-zA-Z0-9-_.]*[a-zA-Z0-9])?$/ });
const createShape = object(
  {
    label,
    region: text(),
    placement_group_type: text({ enum: ["anti_affinity:local"] }),
    placement_group_policy: text({ enum: ["strict", "flexible"] }),
  },
  ["label", "region", "placement_group_type", "placement_group_policy"],
);
const members = {
  /** Groups here are always compliant, so it makes no difference. */
  assign: object({ linodes: list(integer), compliant_only: boolean }, ["linodes"]),
  unassign: object({ linodes: list(integer) }, ["linodes"]),
};

const base = "placement/groups";

export const placementGroupRoutes: readonly Route<World>[] = [
  ...resource({
    path: base,
    filterable: ["id", "label", "placement_group_type", "region"],
    items: (_request, { state }) => state.placementGroups,
    view: (group, { state }) => groupView(group, state),
    event: "placement_group",
    create: { body: createShape, make: (body, world) => newGroup(body, world) },
    update: {
      body: object({ label }),
      change: (group, { label: wanted }, { state }) => {
        uniqueLabel(state.placementGroups, wanted, group);
        group.label = wanted ?? group.label;
      },
    },
    remove: (group, { state }) => {
      if (membersOf(group, state).length > 0) throw invalid("Placement Group must be empty before it can be deleted");
    },
  }),
  ...(["assign", "unassign"] as const).map((verb) =>
    route({
      method: "POST",
      path: `${base}/:id/${verb}`,
      body: members[verb],
      handle: (request, world) => {
        const group = named(world.state.placementGroups, request, "id");
        for (const id of request.body.linodes) change[verb](group, memberOf(id, world), world);
        note(world, `placement_group_${verb}`, {
          id: group.id,
          type: "placement_group",
          label: group.label,
          url: `/v4/${base}/${group.id}`,
        });
        return groupView(group, world.state);
      },
    }),
  ),
];

const memberOf = (id: number, { state }: World): StoredInstance => {
  const found = state.instances.find((instance) => instance.id === id);
  if (found === undefined) throw invalid("A Linode by that ID was not found", "linodes");
  return found;
};

const change = {
  assign: (group: StoredPlacementGroup, instance: StoredInstance, world: World): void => {
    if (instance.placementGroupId !== null) throw invalid("The Linode is in a Placement Group already", "linodes");
    checkRoom(group.id, instance.region, world, "linodes");
    instance.placementGroupId = group.id;
  },
  unassign: ({ id }: StoredPlacementGroup, instance: StoredInstance): void => {
    if (instance.placementGroupId !== id) throw invalid("The Linode is not in this Placement Group", "linodes");
    instance.placementGroupId = null;
  },
};

/** Refuses a group that is not there, in another region, or full. */
export const checkRoom = (id: number, region: string, { state }: World, field: string): void => {
  const group = state.placementGroups.find((candidate) => candidate.id === id);
  if (group === undefined) throw invalid("A Placement Group by that ID was not found", field);
  if (group.region !== region) throw invalid("The Placement Group is in another region", field);
  const limit = regionWith(region, "Placement Group")?.placement_group_limits?.maximum_linodes_per_pg ?? Infinity;
  if (membersOf(group, state).length >= limit) throw invalid(`A Placement Group takes at most ${limit} Linodes`, field);
};

const membersOf = ({ id }: StoredPlacementGroup, { instances }: SimulatorState): readonly StoredInstance[] =>
  instances.filter(({ placementGroupId }) => placementGroupId === id);

const newGroup = (wanted: Omit<StoredPlacementGroup, "id">, world: World): StoredPlacementGroup => {
  const { state } = world;
  const region = regionWith(wanted.region, "Placement Group");
  if (region === undefined) throw invalid("Placement Groups are not available in this region", "region");
  uniqueLabel(state.placementGroups, wanted.label);
  const inRegion = state.placementGroups.filter((group) => group.region === wanted.region).length;
  const limit = world.quotas.placementGroups ?? region.placement_group_limits?.maximum_pgs_per_customer ?? Infinity;
  if (inRegion >= limit) throw invalid("You have reached the limit of Placement Groups in this region", "region");
  return { id: world.newId(), ...wanted };
};

const groupView = (group: StoredPlacementGroup, state: SimulatorState): PlacementGroup => ({
  ...group,
  is_compliant: true,
  members: membersOf(group, state).map(({ id }) => ({ linode_id: id, is_compliant: true })),
  migrations: null,
});

/** The group of an instance, as its instance shows it. */
export const groupOf = ({ placementGroupId }: StoredInstance, { placementGroups }: SimulatorState) => {
  const found = placementGroups.find(({ id }) => id === placementGroupId);
  if (found === undefined) return null;
  const { id, label: name, placement_group_type, placement_group_policy } = found;
  return { id, label: name, placement_group_type, placement_group_policy, migrating_to: null };
};
