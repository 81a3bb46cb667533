import type { Admission } from "@capstan/simulation";
import type { World } from "../world.ts";
import { refusal } from "./refusals.ts";

/** The newest versions that it knows, by the provider of a path. */
const newest: readonly (readonly [RegExp, string])[] = [
  [/\/Microsoft\.Compute\/disks[^/]*(?:\/[^/]*)?$/i, "2019-07-01"],
  [/\/Microsoft\.Compute\/skus$/i, "2019-04-01"],
  [/\/Microsoft\.Compute\//i, "2020-06-01"],
  [/\/Microsoft\.Network\//i, "2018-11-01"],
  [/\/Microsoft\.ManagedIdentity\//i, "2018-11-30"],
  [/\/Microsoft\.Authorization\//i, "2015-07-01"],
  [/^/, "2019-10-01"],
];

const missing =
  /\/Microsoft\.Network\/(natGateways|privateDnsZones|privateEndpoints|bastionHosts)\b|\/Microsoft\.Compute\/(capacityReservationGroups)\b/i;

/** Refuses what an Azure Stack Hub does not know: resource types, and versions of the API that are too new for it. */
export const checkStack = ({ path, query }: Admission<World>): void => {
  const type = missing.exec(path);
  if (type !== null) {
    throw refusal(
      404,
      "InvalidResourceType",
      `The resource type '${type[1] ?? type[2]}' could not be found in the namespace.`,
    );
  }
  const version = new URLSearchParams(query).get("api-version") ?? "";
  const own = path.slice(Math.max(0, path.toLowerCase().lastIndexOf("/providers/")));
  const [, limit = ""] = newest.find(([pattern]) => pattern.test(own)) ?? [];
  if (version <= limit) return;
  throw refusal(
    400,
    "NoRegisteredProviderFound",
    `No registered resource provider found for API version '${version}'. The supported api-versions are up to '${limit}'.`,
  );
};
