import type { ObjectShape } from "@capstan/simulation";
import { refusal } from "../arm/refusals.ts";
import { locationOf } from "../resources/locations.ts";
import { referrers } from "../resources/references.ts";
import type { PartKind, ResourceKind } from "../resources/resource-kind.ts";
import type { StoredResource } from "../state.ts";
import type { World } from "../world.ts";

/** Behaviour that all network resources share. */
export const networkKind = {
  form: "network",
  hasEtag: true,
  put: { created: 201, updated: 200, state: "Updating", asyncOperation: true },
  delete: { status: 202, asyncOperation: true, location: true },
  durationMs: (_: unknown, world: World) => world.delays.networkMs,
} as const satisfies Partial<ResourceKind>;

/** Returns the kind of a part that is written at an address of its own. */
export const networkPart = (properties: ObjectShape, blocker?: PartKind["blocker"]): PartKind => ({
  properties,
  put: networkKind.put,
  delete: networkKind.delete,
  ...(blocker === undefined ? {} : { blocker }),
});

/** Refuses to delete what others refer to. */
export const unlessReferred =
  (code: string, what: string) =>
  ({ id }: Pick<StoredResource, "id">, world: World) => {
    const [reference] = referrers(id, world);
    return reference === undefined
      ? undefined
      : refusal(
          400,
          code,
          `${what} ${id} cannot be deleted because it is in use by the following resources: ${reference.from}.`,
        );
  };

/** Zones are those of the region. */
export const checkZones = (given: unknown, location: string, field = "zones"): void => {
  if (!Array.isArray(given)) return;
  const { zones } = locationOf(location);
  const wrong = (given as readonly string[]).find((zone) => !zones.includes(zone));
  if (wrong === undefined) return;
  throw refusal(
    400,
    "AvailabilityZoneNotSupported",
    `The zone(s) '${wrong}' for resource is not supported. The supported zones for location '${location}' are '${zones.join(",")}'`,
    field,
  );
};

/** A public IP address serves one thing at a time. */
export const checkPublicIps = (resource: Pick<StoredResource, "id">, ids: readonly string[], world: World): void => {
  for (const id of ids) {
    const other = referrers(id, world).find((reference) => reference.resource.id !== resource.id);
    if (other === undefined && ids.filter((each) => each.toLowerCase() === id.toLowerCase()).length === 1) continue;
    throw refusal(
      400,
      "PublicIPReferencedByMultipleIPConfigs",
      `Cannot reference the PublicIPAddress ${id} because it is already used by ${other?.from ?? resource.id}.`,
    );
  }
};
