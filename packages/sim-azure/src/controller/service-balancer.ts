import { createHash } from "node:crypto";
import type { BalancedServiceV1, UnbalancedServiceV1 } from "@capstan/contract/v1";
import { isMachine } from "../vm.ts";
import { providerIdOf } from "../compute/machines.ts";
import { resourceId, same } from "../resource-id.ts";
import { loadBalancerType } from "../network/load-balancer.ts";
import { loadBalancers } from "../network/load-balancers.ts";
import { publicIps, type PublicIp } from "../network/public-ips.ts";
import { securityGroups } from "../network/security-groups.ts";
import { resourceById } from "../resources/find.ts";
import type { ResourceKind } from "../resources/resource-kind.ts";
import { writeResource } from "../resources/write-resource.ts";
import type { Json } from "../state.ts";
import type { World } from "../world.ts";
import { checkAccess, type CloudConfigFile } from "./cloud-config-file.ts";
import { setMembers } from "./machine-cards.ts";

type Named = UnbalancedServiceV1;

interface Part extends Json {
  readonly name: string;
  readonly properties: Json;
}

const annotation = ({ annotations }: Pick<Named, "annotations">, name: string): string | undefined =>
  annotations[`service.beta.kubernetes.io/azure-${name}`];

const isInternal = (service: Named): boolean => annotation(service, "load-balancer-internal") === "true";

/** The name of everything that is the Service's own in a load balancer. */
const frontendName = ({ uid }: Named): string => `a${uid.replaceAll("-", "")}`.slice(0, 32);

/** Where everything of a Service is. */
const placeOf = (service: Named, config: CloudConfigFile, { subscriptionId }: World) => {
  const { resourceGroup = "" } = config;
  const base =
    config.loadBalancerName === undefined || config.loadBalancerName === "" ? service.cluster : config.loadBalancerName;
  const balancer = isInternal(service) ? `${base}-internal` : base;
  const address = `${service.cluster}-${frontendName(service)}`;
  const idOf = (type: string, group: string, ...names: readonly string[]): string =>
    resourceId(subscriptionId, group, type, names);
  const balancerId = idOf(loadBalancerType, resourceGroup, balancer);
  return {
    group: resourceGroup,
    balancer,
    balancerId,
    frontendId: `${balancerId}/frontendIPConfigurations/${frontendName(service)}`,
    poolId: `${balancerId}/backendAddressPools/${service.cluster}`,
    address,
    addressId: idOf(publicIps.type, resourceGroup, address),
    subnetId: idOf(
      "Microsoft.Network/virtualNetworks/subnets",
      config.vnetResourceGroup ?? resourceGroup,
      config.vnetName ?? "",
      annotation(service, "load-balancer-internal-subnet") ?? config.subnetName ?? "",
    ),
    securityGroupId: idOf(
      securityGroups.type,
      config.securityGroupResourceGroup ?? resourceGroup,
      config.securityGroupName ?? "",
    ),
  };
};

type Place = ReturnType<typeof placeOf>;

/** Waits until nothing continues with a resource. */
const settled = async (id: string, { clock, operations, stopped }: World): Promise<void> => {
  while (operations.running(id) !== undefined) await clock.sleep(100, { signal: stopped });
};

interface Body extends Json {
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** Makes or replaces a resource as a request does, from what it is now, and waits until that is over. */
const put = async (kind: ResourceKind, id: string, change: (now: Body) => Body, world: World): Promise<void> => {
  await settled(id, world);
  const now = JSON.parse(JSON.stringify(world.viewOf(id) ?? {})) as Body;
  const [, group = ""] = /\/resourceGroups\/([^/]+)\//i.exec(id) ?? [];
  const name = id.split("/").at(-1) ?? "";
  await writeResource(kind, { group, name, id, body: change(now), headers: {}, fault: undefined }, world);
  await settled(id, world);
};

const remove = async (id: string, world: World): Promise<void> => {
  await settled(id, world);
  const found = resourceById(id, world);
  if (found !== undefined) world.remove(found);
};

/** Parts of a list without those of a name or that begin with it, and more in their place. */
const replaced = (now: Body, field: string, own: string, more: readonly Part[]): readonly Part[] => [
  ...((now.properties?.[field] ?? []) as readonly Part[]).filter(
    ({ name }) => name !== own && !name.startsWith(`${own}-`),
  ),
  ...more,
];

const ruleName = (service: Named, { port, protocol }: Named["ports"][number]): string =>
  `${frontendName(service)}-${protocol}-${port}`;

const armProtocol = (protocol: string): string => (protocol === "UDP" ? "Udp" : "Tcp");

const rulesOf = (service: Named, place: Place): readonly Part[] =>
  service.ports.map((port) => {
    const name = ruleName(service, port);
    return {
      name,
      properties: {
        frontendIPConfiguration: { id: place.frontendId },
        backendAddressPool: { id: place.poolId },
        probe: { id: `${place.balancerId}/probes/${name}` },
        protocol: armProtocol(port.protocol),
        frontendPort: port.port,
        // The load balancer leaves the address as it is, and with it the port.
        backendPort: port.port,
        enableFloatingIP: true,
        enableTcpReset: true,
        disableOutboundSnat: true,
        idleTimeoutInMinutes: 4,
      },
    };
  });

const probesOf = (service: BalancedServiceV1): readonly Part[] =>
  service.ports.map((port) => ({
    name: ruleName(service, port),
    properties: {
      ...(service.healthCheckNodePort === undefined
        ? { protocol: "Tcp", port: port.nodePort }
        : { protocol: "Http", port: service.healthCheckNodePort, requestPath: "/healthz" }),
      intervalInSeconds: 5,
      numberOfProbes: 2,
    },
  }));

const tagsOf = ({ cluster, name, namespace }: Named): Readonly<Record<string, string>> => ({
  "k8s-azure-cluster-name": cluster,
  "k8s-azure-service": `${namespace}/${name}`,
});

const putAddress = (service: Named, place: Place, { location = "" }: CloudConfigFile, world: World): Promise<void> => {
  const label = annotation(service, "dns-label-name");
  const properties = {
    publicIPAllocationMethod: "Static",
    publicIPAddressVersion: "IPv4",
    ...(label !== undefined && { dnsSettings: { domainNameLabel: label } }),
  };
  const body = { location, sku: { name: "Standard" }, tags: tagsOf(service), properties };
  return put(publicIps, place.addressId, () => body, world);
};

const putBalancer = (
  place: Place,
  { location = "" }: CloudConfigFile,
  properties: (now: Body) => Json,
  world: World,
): Promise<void> =>
  put(
    loadBalancers,
    place.balancerId,
    (now) => ({ location, sku: { name: "Standard" }, ...now, properties: { ...now.properties, ...properties(now) } }),
    world,
  );

const frontendOf = (service: Named, place: Place): Part => ({
  name: frontendName(service),
  properties: isInternal(service)
    ? { subnet: { id: place.subnetId }, privateIPAllocationMethod: "Dynamic" }
    : { publicIPAddress: { id: place.addressId } },
});

/** The address that a frontend has. */
const frontendAddress = (service: Named, place: Place, world: World): string => {
  const { properties = {} } = (world.viewOf(isInternal(service) ? place.frontendId : place.addressId) ?? {}) as Body;
  return String((isInternal(service) ? properties["privateIPAddress"] : (properties as PublicIp).ipAddress) ?? "");
};

const securityRuleName = (service: Named): string =>
  `k8s-azure-lb_allow_IPv4_${createHash("md5").update(service.uid).digest("hex")}`;

/** Lets the ports of a Service through the security group of the machines; without ports, no longer. */
const allow = (service: Named, address: string, place: Place, world: World): Promise<void> => {
  const group = resourceById(place.securityGroupId, world);
  if (group === undefined) return Promise.resolve();
  const name = securityRuleName(service);
  return put(
    securityGroups,
    group.id,
    (now) => {
      const rules = replaced(now, "securityRules", name, []);
      const taken = new Set(rules.map(({ properties }) => properties["priority"]));
      let priority = 500;
      while (taken.has(priority)) priority += 1;
      const properties = {
        protocol: "Tcp",
        sourcePortRange: "*",
        sourceAddressPrefix: isInternal(service) ? "VirtualNetwork" : "Internet",
        destinationAddressPrefix: address,
        destinationPortRanges: service.ports.map(({ port }) => String(port)),
        access: "Allow",
        direction: "Inbound",
        priority,
      };
      const more = service.ports.length === 0 ? [] : [{ name, properties }];
      return { ...now, properties: { ...now.properties, securityRules: [...rules, ...more] } };
    },
    world,
  );
};

const machinesOf = ({ nodes }: BalancedServiceV1, { state }: World) =>
  new Set(
    state.resources.filter(
      (each) => isMachine(each) && nodes.some(({ providerID }) => same(providerID, providerIdOf(each))),
    ),
  );

/** Makes what a Service has at Azure what it has to be: an address, a frontend, a rule and a probe for each port, and its Nodes behind them. */
export const balanceService = async (
  service: BalancedServiceV1,
  config: CloudConfigFile,
  world: World,
): Promise<readonly { readonly ip: string }[]> => {
  checkAccess(config, world);
  const place = placeOf(service, config, world);
  if (!isInternal(service)) await putAddress(service, place, config, world);
  const own = frontendName(service);
  await putBalancer(
    place,
    config,
    (now) => ({
      frontendIPConfigurations: replaced(now, "frontendIPConfigurations", own, [frontendOf(service, place)]),
      backendAddressPools: replaced(now, "backendAddressPools", service.cluster, [
        { name: service.cluster, properties: {} },
      ]),
      loadBalancingRules: replaced(now, "loadBalancingRules", own, rulesOf(service, place)),
      probes: replaced(now, "probes", own, probesOf(service)),
    }),
    world,
  );
  setMembers(place.poolId, machinesOf(service, world), world);
  const ip = frontendAddress(service, place, world);
  await allow(service, ip, place, world);
  return [{ ip }];
};

/** Removes what a Service has at Azure; a load balancer with nothing left goes too. */
export const unbalanceService = async (service: Named, config: CloudConfigFile, world: World): Promise<void> => {
  checkAccess(config, world);
  const place = placeOf(service, config, world);
  await allow({ ...service, ports: [] }, "", place, world);
  if (resourceById(place.balancerId, world) !== undefined) {
    const own = frontendName(service);
    const without = (now: Body, field: string): readonly Part[] => replaced(now, field, own, []);
    const { properties = {} } = world.viewOf(place.balancerId) as Body;
    const others = without({ properties }, "frontendIPConfigurations");
    if (others.length === 0) {
      setMembers(place.poolId, new Set(), world);
      await remove(place.balancerId, world);
    } else {
      const fields = ["frontendIPConfigurations", "loadBalancingRules", "probes"];
      await putBalancer(
        place,
        config,
        (now) => Object.fromEntries(fields.map((name) => [name, without(now, name)])),
        world,
      );
    }
  }
  await remove(place.addressId, world);
};
