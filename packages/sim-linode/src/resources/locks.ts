import type { Lock } from "@capstan/linode-client";
import { integer, invalid, object, type Route, text, type ValueOf } from "@capstan/simulation";
import { freely, resource } from "../api/resource.ts";
import type { SimulatorState } from "../state.ts";
import type { World } from "../world.ts";

const shape = object(
  {
    entity_id: integer,
    entity_type: text({ enum: ["linode", "nodebalancer", "volume"] }),
    lock_type: text({ enum: ["cannot_delete", "cannot_delete_with_subresources"] }),
  },
  ["entity_id", "entity_type", "lock_type"],
);

const kinds = {
  linode: { path: "linode/instances", of: ({ instances }: SimulatorState) => instances },
  nodebalancer: { path: "nodebalancers", of: ({ nodeBalancers }: SimulatorState) => nodeBalancers },
  volume: { path: "volumes", of: ({ volumes }: SimulatorState) => volumes },
} as const;

type Kind = keyof typeof kinds;

/** The locks of something, by their kinds. */
export const locksOf = (type: Kind, id: number, { locks = [] }: Pick<SimulatorState, "locks">): readonly string[] =>
  locks.flatMap(({ entity, lock_type: kind }) => (entity.type === type && entity.id === id ? [kind] : []));

/** Refuses to delete what has a lock. */
export const checkUnlocked = (type: Kind, id: number, state: Pick<SimulatorState, "locks">): void => {
  if (locksOf(type, id, state).length > 0) throw invalid("This resource has a lock that prevents its deletion");
};

const newLock = ({ entity_id: id, entity_type: type, lock_type }: ValueOf<typeof shape>, world: World): Lock => {
  const { of, path } = kinds[type];
  const found = of(world.state).find((each) => each.id === id);
  if (found === undefined) throw invalid(`A ${type} by that ID was not found`, "entity_id");
  if (locksOf(type, id, world.state).length > 0) throw invalid("It has a lock already", "entity_id");
  return { id: world.newId(), lock_type, entity: { id, type, label: found.label, url: `/v4/${path}/${id}` } };
};

/** Routes of the locks that prevent things from being deleted. */
export const lockRoutes: readonly Route<World>[] = resource({
  path: "locks",
  filterable: ["id", "lock_type"],
  items: (_request, { state }) => (state.locks ??= []),
  event: "lock",
  create: { body: shape, make: newLock },
  remove: freely,
});
