import { invalidReference, refusal } from "../arm/refusals.ts";
import { same } from "../resource-id.ts";
import type { StoredResource } from "../state.ts";
import type { World } from "../world.ts";
import { locationOf } from "./locations.ts";
import { referencesOf, referent } from "./references.ts";
import type { ResourceKind } from "./resource-kind.ts";
import { etagOf } from "./views.ts";

/** A resource that is being changed cannot be changed once more. */
export const checkIdle = (resource: StoredResource): void => {
  const busy =
    resource.state !== "Succeeded" && resource.state !== "Failed"
      ? resource.id
      : Object.entries(resource.properties)
          .flatMap(([field, value]) =>
            Array.isArray(value) ? value.map((part: unknown) => [field, part] as const) : [],
          )
          .filter(([, part]) =>
            ["Updating", "Deleting", "Creating"].includes((part as { state?: string } | null)?.state ?? ""),
          )
          .map(([field, part]) => `${resource.id}/${field}/${(part as { name: string }).name}`)[0];
  if (busy === undefined) return;
  throw refusal(
    409,
    "AnotherOperationInProgress",
    `Another operation on this or dependent resource is in progress. To retrieve status of the operation use uri: not available (resource ${busy}).`,
  );
};

/** Returns whether a request may change what is there now, by the etags that it names. */
export const checkEtags = (
  headers: Readonly<Record<string, string>>,
  id: string,
  before: StoredResource | undefined,
): void => {
  const { "if-match": match, "if-none-match": noneMatch } = headers;
  const etag = before === undefined ? undefined : etagOf(before);
  const matches = match === undefined || (match === "*" ? etag !== undefined : match === etag);
  const absent = noneMatch === undefined || (noneMatch === "*" ? etag === undefined : noneMatch !== etag);
  if (matches && absent) return;
  throw refusal(
    412,
    "PreconditionFailed",
    `Precondition failed. Etag provided in ${matches ? "if-none-match" : "if-match"} header ${(matches ? noneMatch : match) ?? ""} does not match etag ${etag ?? "of nothing"} of resource ${id} in NRP data store.`,
  );
};

/** The place of a resource, which never changes. */
export const placeOf = (given: string | undefined, kind: ResourceKind, before: StoredResource | undefined): string => {
  if (given === undefined) {
    throw refusal(400, "LocationRequired", "The location property is required for this definition.", "location");
  }
  const location = kind.isGlobal === true ? given.toLowerCase() : locationOf(given).name;
  if (kind.isGlobal === true && location !== "global") {
    throw refusal(
      400,
      "LocationNotAvailableForResourceType",
      `The provided location '${given}' is not available for resource type '${kind.type}'. List of available regions for the resource type is 'global'.`,
      "location",
    );
  }
  if (before === undefined || before.location === location) return location;
  throw refusal(
    409,
    "InvalidResourceLocation",
    `The resource '${before.name}' already exists in location '${before.location}' in resource group '${before.group}'. A resource with the same name cannot be created in location '${location}'. Please select a new resource name.`,
  );
};

/** Whatever a resource names exists, is in the same region, and has been made. */
export const checkReferences = (resource: StoredResource, { state }: Pick<World, "state">): void => {
  const others = state.resources.filter(({ id }) => !same(id, resource.id));
  for (const { from, to } of referencesOf(resource)) {
    const target = referent(to, [resource, ...others]);
    // Virtual networks of different regions may be peers.
    const anywhere = from.includes("/virtualNetworkPeerings/");
    if (target === undefined || !(anywhere || fits(target, resource))) throw invalidReference(to, resource.id);
    if (target.id === resource.id || target.state === "Succeeded") continue;
    const words = `Cannot proceed with operation because resource ${target.id} used by resource ${resource.id} is not in Succeeded state. Resource is in ${target.state} state.`;
    if (target.state === "Failed") throw refusal(409, "ReferencedResourceNotProvisioned", words);
    throw refusal(429, "RetryableError", words);
  }
};

const fits = (target: StoredResource, by: StoredResource): boolean =>
  target.location === by.location || target.location === "global" || by.location === "global" || target.location === "";
