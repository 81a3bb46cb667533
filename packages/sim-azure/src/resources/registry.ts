import { isWithin, same } from "../resource-id.ts";
import type { OperationError, StoredOperation, StoredResource } from "../state.ts";
import { preempted } from "../operations/operations.ts";
import type { World } from "../world.ts";
import { resourceById } from "./find.ts";
import { finishGroup } from "./groups.ts";
import { partById } from "./references.ts";
import { finishTags } from "./tags.ts";
import type { ResourceKind, StoredPart } from "./resource-kind.ts";
import { viewOfPart, viewOfResource } from "./views.ts";

/** Work on resources of any type: showing them, ending their operations and removing them. */
export interface Registry {
  readonly viewOf: (id: string, world: World) => unknown;
  readonly remove: (resource: StoredResource, world: World) => void;
  readonly finish: (operation: StoredOperation, world: World) => OperationError | undefined;
}

export const registry = (kinds: readonly ResourceKind[]): Registry => {
  const byType = new Map(kinds.map((kind) => [kind.type.toLowerCase(), kind]));
  const kindOf = ({ type }: StoredResource): ResourceKind | undefined => byType.get(type.toLowerCase());
  const remove = (resource: StoredResource, world: World): void => {
    // What is below it goes with it.
    for (const each of world.state.resources.filter(({ id }) => isWithin(id, resource.id))) {
      world.state.resources = world.state.resources.filter((other) => other !== each);
      endOperation(each, world);
      Promise.resolve(kindOf(each)?.removed?.(each, world)).catch((error: unknown) => {
        world.log.error("a resource left something behind", { id: each.id, error: String(error) });
      });
    }
  };
  return {
    remove,
    viewOf: (id, world) => {
      const found = ownerOf(id, world);
      const kind = found === undefined ? undefined : kindOf(found);
      if (found === undefined || kind === undefined) return undefined;
      return same(found.id, id) ? viewOfResource(found, kind, world) : viewOfPart(id, found, kind, world);
    },
    finish: (operation, world) => {
      if (operation.verb === "PATCH") return finishTags(operation, world);
      if (operation.form === "group") return finishGroup(operation, world);
      const found = ownerOf(operation.target, world);
      if (found === undefined || operation.verb === "POST") return undefined;
      found.revision += 1;
      if (!same(found.id, operation.target)) return finishPart(operation, found, world, kindOf(found));
      if (operation.status === "Succeeded" && operation.verb === "DELETE") {
        remove(found, world);
        return undefined;
      }
      found.state = operation.status === "Failed" ? "Failed" : "Succeeded";
      kindOf(found)?.finished?.(found, operation.status === "Failed" ? operation.error : undefined, world);
      return undefined;
    },
  };
};

/** Nothing continues with what is gone. */
const endOperation = ({ id }: StoredResource, { operations }: World): void => {
  const running = operations.running(id);
  if (running === undefined) return;
  operations.complete(running.id, running.verb === "DELETE" ? undefined : preempted);
};

/** The resource that an ID means, or of a part of which it is the ID. */
const ownerOf = (id: string, { state }: World): StoredResource | undefined =>
  resourceById(id, { state }) ??
  state.resources.find((resource) => isWithin(id, resource.id) && partById(resource, id) !== undefined);

const finishPart = (
  { target, verb, status }: StoredOperation,
  resource: StoredResource,
  world: World,
  kind: ResourceKind | undefined,
): undefined => {
  const [collection = ""] = target.slice(resource.id.length + 1).split("/");
  const stored = partById(resource, target);
  const key = Object.keys(resource.properties).find((name) => same(name, collection)) ?? collection;
  const parts = (resource.properties[key] ?? []) as readonly StoredPart[];
  const changed = parts.flatMap((part): readonly StoredPart[] => {
    if (part !== stored) return [part];
    const { state: _, ...rest } = part;
    if (status === "Failed") return [{ ...rest, state: "Failed" }];
    return verb === "DELETE" ? [] : [rest];
  });
  resource.properties = { ...resource.properties, [key]: changed };
  kind?.finished?.(resource, undefined, world);
};
