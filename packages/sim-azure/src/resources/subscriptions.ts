import { reply, type Route } from "@capstan/simulation";
import { route, subscriptionPath } from "../route.ts";
import type { World } from "../world.ts";
import { stackAudience } from "../login/tokens.ts";
import { locations } from "./locations.ts";

const subscriptionView = ({ subscriptionId, tenantId }: World) => ({
  id: `/subscriptions/${subscriptionId}`,
  authorizationSource: "RoleBased",
  managedByTenants: [],
  subscriptionId,
  tenantId,
  displayName: "Simulated subscription",
  state: "Enabled",
  subscriptionPolicies: {
    locationPlacementId: "Public_2014-09-01",
    quotaId: "PayAsYouGo_2014-09-01",
    spendingLimit: "Off",
  },
});

const locationView = ({ subscriptionId }: World, { name, displayName, zones }: (typeof locations)[number]) => ({
  id: `/subscriptions/${subscriptionId}/locations/${name}`,
  name,
  type: "Region",
  displayName,
  regionalDisplayName: displayName,
  metadata: { regionType: "Physical", regionCategory: "Recommended", geographyGroup: "" },
  ...(zones.length === 0
    ? {}
    : { availabilityZoneMappings: zones.map((zone) => ({ logicalZone: zone, physicalZone: `${name}-az${zone}` })) }),
});

/** Where the clients of Azure find everything. */
const endpoints = (url: string) => ({
  name: "AzureCloud",
  portal: url,
  resourceManager: url,
  graph: url,
  graphAudience: url,
  microsoftGraphResourceId: url,
  authentication: {
    loginEndpoint: url,
    audiences: [url, "https://management.core.windows.net/", "https://management.azure.com/"],
    tenant: "common",
    identityProvider: "AAD",
  },
  suffixes: {
    storage: "core.windows.net",
    keyVaultDns: "vault.azure.net",
    acrLoginServer: "azurecr.io",
    sqlServerHostname: "database.windows.net",
  },
});

/** An Azure Stack Hub names its own audience, and no suffixes. */
const stackEndpoints = (url: string) => ({
  galleryEndpoint: url,
  graphEndpoint: url,
  portalEndpoint: url,
  authentication: { loginEndpoint: `${url}/`, audiences: [stackAudience] },
});

/** Routes of the subscription itself, its tenant and its locations, and of the endpoints that clients discover. */
export const subscriptionRoutes: readonly Route<World>[] = [
  route({
    method: "GET",
    path: "/healthz",
    isPublic: true,
    handle: () => reply(200, "ok", { "content-type": "text/plain" }),
  }),
  route({
    method: "GET",
    path: "/metadata/endpoints",
    isPublic: true,
    handle: ({ serverUrl }, { isStack }) => (isStack ? stackEndpoints(serverUrl) : endpoints(serverUrl)),
  }),
  route({ method: "GET", path: "/subscriptions", handle: (_, world) => ({ value: [subscriptionView(world)] }) }),
  route({
    method: "GET",
    path: "/tenants",
    handle: (_, { tenantId }) => ({
      value: [{ id: `/tenants/${tenantId}`, tenantId, displayName: "Simulated tenant", tenantCategory: "Home" }],
    }),
  }),
  route({ method: "GET", path: subscriptionPath, handle: (_, world) => subscriptionView(world) }),
  route({
    method: "GET",
    path: `${subscriptionPath}/locations`,
    handle: (_, world) => ({ value: locations.map((location) => locationView(world, location)) }),
  }),
];
