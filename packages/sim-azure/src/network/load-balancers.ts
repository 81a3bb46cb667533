import { refusal } from "../arm/refusals.ts";
import { same } from "../resource-id.ts";
import { referencesOf, referent } from "../resources/references.ts";
import type { Change, ResourceKind } from "../resources/resource-kind.ts";
import { extendedLocation, skuOf } from "../resources/shapes.ts";
import type { Json, StoredResource } from "../state.ts";
import type { World } from "../world.ts";
import { openFrontends, withLoopbacks } from "./data-plane.ts";
import { type LoadBalancer, loadBalancerType } from "./load-balancer.ts";
import { backendPool, loadBalancerProperties, natRule } from "./load-balancer-shapes.ts";
import { cardsIn } from "./network-interfaces.ts";
import { checkPublicIps, checkZones, networkKind, networkPart } from "./network-kind.ts";
import { withAddresses } from "./private-addresses.ts";

const standard = new Set(["Standard", "StandardV2"]);

const skuName = ({ outer }: StoredResource<object>): string =>
  (outer["sku"] as { readonly name?: string } | undefined)?.name ?? "Basic";

const checkFrontends = ({ resource }: Change<LoadBalancer>, world: World): void => {
  const { frontendIPConfigurations = [] } = resource.properties;
  const publicIps = frontendIPConfigurations.flatMap(({ properties }) => properties.publicIPAddress?.id ?? []);
  checkPublicIps(resource, publicIps, world);
  for (const { name, zones, properties } of frontendIPConfigurations) {
    checkZones(zones, resource.location);
    const { publicIPAddress, subnet } = properties;
    if ((publicIPAddress === undefined) === (subnet === undefined)) {
      throw refusal(
        400,
        "InvalidFrontendIPConfiguration",
        `Frontend IP configuration ${name} of ${resource.id} must refer to either a subnet or a public IP address.`,
      );
    }
    if (zones !== undefined && publicIPAddress !== undefined) {
      throw refusal(
        400,
        "LoadBalancerFrontendIPConfigCannotHaveZoneWhenReferencingPublicIPAddress",
        `Frontend ${name} of ${resource.id} cannot have zones, as it refers to a public IP address, which has them.`,
      );
    }
    const address = referent(publicIPAddress?.id ?? "", world.state.resources);
    if (address !== undefined && standard.has(skuName(address)) !== standard.has(skuName(resource))) {
      throw refusal(
        400,
        "PublicIPAndLBSkuDoNotMatch",
        `${skuName(address)} sku publicIp ${address.id} referenced by ${skuName(resource)} sku LB ${resource.id}. Both skus must match.`,
      );
    }
  }
};

/** Ports of one frontend lead to one place each. */
const checkRules = ({ id, properties }: StoredResource<LoadBalancer>): void => {
  const { loadBalancingRules = [], inboundNatRules = [], outboundRules = [] } = properties;
  const taken = new Map<string, string>();
  for (const rule of [...loadBalancingRules, ...inboundNatRules]) {
    const { frontendIPConfiguration, frontendPort, protocol = "Tcp" } = rule.properties;
    if (frontendPort === undefined) continue;
    const key = `${frontendIPConfiguration?.id.toLowerCase() ?? ""} ${frontendPort} ${protocol}`;
    const other = taken.get(key);
    taken.set(key, rule.name);
    if (other === undefined) continue;
    throw refusal(
      400,
      "RulesUseSameFrontendPortProtocolAndFrontendIPConfig",
      `Load balancer ${id}: rules ${other} and ${rule.name} use the same frontend IP configuration, port ${frontendPort} and protocol ${protocol}.`,
    );
  }
  for (const {
    name,
    properties: { frontendIPConfiguration, disableOutboundSnat = false },
  } of loadBalancingRules) {
    const outbound = outboundRules.find((rule) =>
      rule.properties.frontendIPConfigurations?.some((each) => same(each.id, frontendIPConfiguration?.id ?? "")),
    );
    if (outbound === undefined || disableOutboundSnat) continue;
    throw refusal(
      400,
      "LoadBalancingRuleMustDisableSNATSinceSameFrontendIPConfigurationIsReferencedByOutboundRule",
      `Load balancing rule ${name} of ${id} must disable SNAT since the frontend IP configuration is referenced by outbound rule ${outbound.name}.`,
    );
  }
};

/** Network cards leave pools and rules that are no longer there. */
const dropMembers = (id: string, world: World): void => {
  for (const resource of world.state.resources) {
    if (!/\/networkInterfaces$/i.test(resource.type)) continue;
    const stale = referencesOf(resource).filter(
      ({ to }) =>
        to.toLowerCase().startsWith(`${id.toLowerCase()}/`) && referent(to, world.state.resources) === undefined,
    );
    if (stale.length === 0) continue;
    const gone = new Set(stale.map(({ to }) => to));
    resource.properties = without(resource.properties, gone) as Json;
    resource.revision += 1;
  }
};

/** A value without the references to what is gone. */
const without = (value: unknown, gone: ReadonlySet<string>): unknown => {
  if (Array.isArray(value)) {
    return value
      .filter((item: { readonly id?: string } | null) => !gone.has(item?.id ?? ""))
      .map((item) => without(item, gone));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, without(entry, gone)]));
};

/** Who names a part from inside of its load balancer, by the list that the name is in. */
const rulesOf = (part: string, { state }: World, collection: string): readonly { readonly id: string }[] => {
  const owner = state.resources.find(
    ({ id, type }) => type === loadBalancerType && part.toLowerCase().startsWith(`${id.toLowerCase()}/`),
  );
  if (owner === undefined) return [];
  return referencesOf(owner)
    .filter(({ from, to }) => same(to, part) && from.includes(`/${collection}/`))
    .map(({ from }) => ({ id: from }));
};

const someOf = (name: string, ids: readonly { readonly id: string }[]): Json =>
  ids.length === 0 ? {} : { [name]: ids };

const natRuleDefaults = {
  allowBackendPortConflict: false,
  enableDestinationServiceEndpoint: false,
  enableFloatingIP: false,
  enableTcpReset: false,
  idleTimeoutInMinutes: 4,
  protocol: "Tcp",
} as const;

/** Returns the default properties of a part, by the kind in its ID. */
const defaultsOf = (id: string): Json => {
  if (id.includes("/frontendIPConfigurations/")) return { privateIPAllocationMethod: "Dynamic" };
  return id.includes("/backendAddressPools/") ? { loadBalancerBackendAddresses: [] } : {};
};

const partExtras = (id: string, properties: Json, world: World): Json => {
  const users = cardsIn(id, world).map(({ from }) => ({ id: from }));
  if (id.includes("/inboundNatRules/")) {
    return {
      ...natRuleDefaults,
      ...properties,
      ...(users[0] === undefined ? {} : { backendIPConfiguration: users[0] }),
    };
  }
  return {
    ...defaultsOf(id),
    ...properties,
    ...(id.includes("/backendAddressPools/") ? someOf("backendIPConfigurations", users) : {}),
    ...someOf("loadBalancingRules", rulesOf(id, world, "loadBalancingRules")),
    ...someOf("inboundNatRules", rulesOf(id, world, "inboundNatRules")),
    ...someOf("outboundRules", rulesOf(id, world, "outboundRules")),
  };
};

const lists = [
  "frontendIPConfigurations",
  "backendAddressPools",
  "loadBalancingRules",
  "probes",
  "inboundNatRules",
  "inboundNatPools",
  "outboundRules",
];

/** Load balancers. They really forward TCP from public IP addresses to the machines behind them. */
export const loadBalancers: ResourceKind<LoadBalancer> = {
  ...networkKind,
  put: { ...networkKind.put, state: "Succeeded" },
  type: loadBalancerType,
  outer: { sku: skuOf(["Basic", "Standard", "Gateway"]), extendedLocation },
  properties: loadBalancerProperties,
  parts: { inboundNatRules: networkPart(natRule), backendAddressPools: networkPart(backendPool) },
  prepare: (change, world) => {
    const { resource, before } = change;
    const empty = Object.fromEntries(lists.map((name) => [name, []]));
    const { frontendIPConfigurations = [] } = resource.properties;
    checkFrontends(change, world);
    const frontends = withAddresses(
      resource.id,
      frontendIPConfigurations,
      before?.properties.frontendIPConfigurations ?? [],
      world,
    );
    resource.properties = {
      ...empty,
      ...resource.properties,
      frontendIPConfigurations: frontends,
      loopbacks: withLoopbacks(frontends, before?.properties.loopbacks ?? {}, world),
    };
    resource.outer = {
      ...resource.outer,
      sku: { name: "Basic", tier: "Regional", ...(resource.outer["sku"] as Json) },
    };
    checkRules(resource);
  },
  written: async ({ resource }, _operation, world) => {
    dropMembers(resource.id, world);
    await openFrontends(world);
  },
  finished: (_resource, _error, world) => void openFrontends(world),
  derived: () => ({ loopbacks: undefined }),
  partExtras: (id, { properties = {} }, world) => partExtras(id, properties, world),
  removed: async ({ id }, world) => {
    dropMembers(id, world);
    await openFrontends(world);
  },
};
