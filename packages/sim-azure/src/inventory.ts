import { own } from "@capstan/schema";
import { text, type Route } from "@capstan/simulation";
import { refusal } from "./arm/refusals.ts";
import { groupId, same } from "./resource-id.ts";
import { coresUsed } from "./compute/vm-rules.ts";
import { vmSizes } from "./compute/vm-sizes.ts";
import { vmType } from "./vm.ts";
import { groupPath, route, subscriptionPath } from "./route.ts";
import type { StoredResource } from "./state.ts";
import type { World } from "./world.ts";
import { findGroup } from "./resources/find.ts";
import { filterOf } from "./resources/list-filter.ts";
import { pageOf, pageQuery } from "./resources/list-page.ts";
import { locationOf, locations } from "./resources/locations.ts";
import type { ResourceKind } from "./resources/resource-kind.ts";

const brief = ({ id, name, type, location, tags, outer }: StoredResource) => ({
  id,
  name,
  type,
  location,
  ...(tags === undefined ? {} : { tags }),
  ...outer,
});

/** Fields that a list adds on request. Each change advances `changedTime` by at least a millisecond. */
const expansions: Readonly<Record<string, (resource: StoredResource) => string>> = {
  createdTime: ({ created }) => new Date(created).toISOString(),
  changedTime: ({ created, revision }) => new Date(created + revision).toISOString(),
  provisioningState: ({ state }) => state,
};

/** Returns the function that shows a resource in a list with this `$expand`. Throws a refusal if it names an unknown field. */
const listed = (expand: string | undefined): ((resource: StoredResource) => object) => {
  const names = (expand ?? "").split(",").filter((name) => name !== "");
  const unknown = names.find((name) => own(expansions, name) === undefined);
  if (unknown !== undefined) {
    const message = `Invalid $expand '${unknown}' specified in the query string.`;
    throw refusal(400, "InvalidExpandInQueryString", message, "$expand");
  }
  return (resource) => ({
    ...brief(resource),
    ...Object.fromEntries(names.map((name) => [name, own(expansions, name)?.(resource)])),
  });
};

/** Children with a place of their own. */
const listedChildren = /\/(?:virtualMachines\/extensions|privateDnsZones\/virtualNetworkLinks)$/i;

/** Other children are not in lists of everything, and neither are records. */
const isListed = ({ type }: StoredResource): boolean => type.split("/").length === 2 || listedChildren.test(type);

const query = { $filter: text(), $expand: text(), ...pageQuery } as const;

interface ListRequest {
  readonly $expand?: string;
  readonly $filter?: string;
  readonly $top?: number;
  readonly $skiptoken?: string;
}

/** A page of what is asked for. */
const inventoryPage = (resources: readonly StoredResource[], query: ListRequest, address: string) => {
  const { $expand, $filter } = query;
  const all = resources.filter(isListed).filter(filterOf($filter)).map(listed($expand));
  return pageOf(all, query, address, { "api-version": "2021-04-01", $filter, $expand });
};

const usageOf = (name: string, label: string, currentValue: number, limit: number) => ({
  unit: "Count",
  currentValue,
  limit,
  name: { value: name, localizedValue: label },
});

const unlimited = 1_000_000;

const usages = (location: string, world: World) => {
  const limitOf = (name: string): number => world.quotas[name] ?? world.quotas["cores"] ?? unlimited;
  const machines = world.state.resources.filter((each) => each.type === vmType && each.location === location).length;
  return [
    usageOf("cores", "Total Regional vCPUs", coresUsed(location, undefined, world), limitOf("cores")),
    usageOf("virtualMachines", "Virtual Machines", machines, 25_000),
    ...[...new Set(vmSizes.map(({ family }) => family))].map((family) =>
      usageOf(family, family, coresUsed(location, family, world), limitOf(family)),
    ),
  ];
};

/** Lists of everything, and what of it there may be. */
export const inventoryRoutes = (kinds: readonly ResourceKind[]): readonly Route<World>[] => {
  const namespaces = [...new Set(kinds.map(({ type }) => type.split("/")[0] ?? ""))];
  const provider = (namespace: string, { subscriptionId }: World) => ({
    id: `/subscriptions/${subscriptionId}/providers/${namespace}`,
    namespace,
    registrationState: "Registered",
    registrationPolicy: "RegistrationRequired",
    resourceTypes: kinds
      .filter(({ type }) => type.startsWith(`${namespace}/`))
      .map(({ type }) => ({
        resourceType: type.slice(namespace.length + 1),
        locations: locations.map(({ displayName }) => displayName),
        apiVersions: ["2024-07-01"],
      })),
  });
  return [
    route({
      method: "GET",
      path: `${subscriptionPath}/providers`,
      query: { $top: text(), $expand: text() },
      handle: (_, world) => ({ value: namespaces.map((namespace) => provider(namespace, world)) }),
    }),
    route({
      method: "GET",
      path: `${subscriptionPath}/providers/:namespace`,
      query: { $expand: text() },
      handle: ({ params }, world) => {
        const namespace = namespaces.find((each) => same(each, params.namespace));
        if (namespace !== undefined) return provider(namespace, world);
        throw refusal(404, "InvalidResourceNamespace", `The resource namespace '${params.namespace}' is invalid.`);
      },
    }),
    route({
      method: "GET",
      path: `${subscriptionPath}/resources`,
      query,
      handle: ({ query: asked, serverUrl }, { state, subscriptionId }) =>
        inventoryPage(state.resources, asked, `${serverUrl}/subscriptions/${subscriptionId}/resources`),
    }),
    route({
      method: "GET",
      path: `${groupPath}/resources`,
      query,
      handle: ({ params, query: asked, serverUrl }, { state, subscriptionId }) => {
        const { name } = findGroup(params.group, { state });
        const inside = state.resources.filter(({ group }) => same(group, name));
        return inventoryPage(inside, asked, `${serverUrl}${groupId(subscriptionId, name)}/resources`);
      },
    }),
    route({
      method: "GET",
      path: `${subscriptionPath}/providers/Microsoft.Compute/locations/:location/usages`,
      handle: ({ params: { location } }, world) => ({ value: usages(locationOf(location).name, world) }),
    }),
  ];
};
