import type { Firewall, FirewallRules, Vpc } from "@capstan/linode-client";
import { integer, invalid, list, notFound, object, type Route, type RouteRequest, text } from "@capstan/simulation";
import { collection } from "../api/collection.ts";
import { idOf, route } from "../api/route.ts";
import { tags } from "../api/shapes.ts";
import { regions } from "../seed.ts";
import type { StoredFirewall, StoredVpc, StoredVpcAddress } from "../state.ts";
import type { World } from "../world.ts";
import { apiTime } from "./times.ts";

const rule = object(
  {
    action: text({ enum: ["ACCEPT", "DROP"] }),
    protocol: text({ enum: ["TCP", "UDP", "ICMP", "IPENCAP"] }),
    label: text({ min: 3, max: 32 }),
    description: text({ min: 1, max: 100 }),
    ports: { type: "string", nullable: true },
    addresses: object({ ipv4: list(text(), 255), ipv6: list(text(), 255) }),
  },
  ["action", "protocol"],
);
const policy = text({ enum: ["ACCEPT", "DROP"] });

const createFirewallShape = object(
  {
    label: text({ min: 3, max: 32 }),
    tags,
    devices: object({ linodes: list(integer), nodebalancers: list(integer) }),
    rules: object(
      { inbound: list(rule, 25), outbound: list(rule, 25), inbound_policy: policy, outbound_policy: policy },
      ["inbound_policy", "outbound_policy"],
    ),
  },
  ["label", "rules"],
);

const subnet = object({ label: text({ min: 1, max: 64 }), ipv4: text() }, ["label", "ipv4"]);
const createVpcShape = object(
  {
    label: text({ min: 1, max: 64, pattern: /^(?!.*--)[a-zA-Z0-9-]*$/ }),
    region: text(),
    description: text({ max: 255 }),
    subnets: list(subnet),
  },
  ["label", "region"],
);

/** Existing VPCs and firewalls, so that machines can name them by id. */
export const networkingRoutes: readonly Route<World>[] = [
  collection({
    path: "networking/firewalls",
    filterable: ["id", "label", "tags", "status"],
    list: (_request, { state }) => state.firewalls.map(firewallView),
  }),
  route({
    method: "POST",
    path: "networking/firewalls",
    body: createFirewallShape,
    handle: ({ body }, world) => firewallView(createFirewall(body, world)),
  }),
  route({
    method: "GET",
    path: "networking/firewalls/:id",
    handle: (request, world) => firewallView(find(world.state.firewalls, request)),
  }),
  route({
    method: "DELETE",
    path: "networking/firewalls/:id",
    handle: (request, { state }) => {
      const gone = find(state.firewalls, request);
      state.firewalls = state.firewalls.filter((firewall) => firewall !== gone);
      return {};
    },
  }),
  collection({
    path: "vpcs",
    filterable: ["id", "label", "region", "description"],
    list: (_request, world) => world.state.vpcs.map((vpc) => vpcView(vpc, world)),
  }),
  route({
    method: "POST",
    path: "vpcs",
    body: createVpcShape,
    handle: ({ body }, world) => vpcView(createVpc(body, world), world),
  }),
  route({
    method: "GET",
    path: "vpcs/:id",
    handle: (request, world) => vpcView(find(world.state.vpcs, request), world),
  }),
  route({
    method: "DELETE",
    path: "vpcs/:id",
    handle: (request, { state }) => {
      const gone = find(state.vpcs, request);
      if (state.instances.some(({ vpcAddresses }) => vpcAddresses.some(({ vpcId }) => vpcId === gone.id))) {
        throw invalid("Subnets must be empty before the VPC can be deleted");
      }
      state.vpcs = state.vpcs.filter((vpc) => vpc !== gone);
      return {};
    },
  }),
];

const find = <T extends { readonly id: number }>(items: readonly T[], request: Pick<RouteRequest, "params">): T => {
  const found = items.find(({ id }) => id === idOf(request));
  if (found === undefined) throw notFound();
  return found;
};

export const firewallView = (firewall: StoredFirewall): Firewall => ({
  id: firewall.id,
  label: firewall.label,
  status: "enabled",
  rules: firewall.rules,
  tags: firewall.tags,
  created: apiTime(firewall.created),
  updated: apiTime(firewall.created),
});

const createFirewall = (
  wanted: { readonly label: string; readonly tags?: readonly string[]; readonly rules: Partial<FirewallRules> },
  world: World,
): StoredFirewall => {
  const { state } = world;
  if (state.firewalls.some(({ label }) => label === wanted.label)) throw invalid("Label must be unique", "label");
  const firewall: StoredFirewall = {
    id: world.newId(),
    label: wanted.label,
    tags: wanted.tags ?? [],
    rules: { inbound: [], outbound: [], inbound_policy: "ACCEPT", outbound_policy: "ACCEPT", ...wanted.rules },
    created: world.clock.now(),
  };
  state.firewalls.push(firewall);
  return firewall;
};

const createVpc = (
  wanted: {
    readonly label: string;
    readonly region: string;
    readonly description?: string;
    readonly subnets?: readonly { readonly label: string; readonly ipv4: string }[];
  },
  world: World,
): StoredVpc => {
  const { state } = world;
  if (state.vpcs.some(({ label }) => label === wanted.label)) throw invalid("Label must be unique", "label");
  const region = regions.find(({ id }) => id === wanted.region);
  if (region?.capabilities.includes("VPCs") !== true) throw invalid("VPCs are not available in this region", "region");
  const vpc: StoredVpc = {
    id: world.newId(),
    label: wanted.label,
    region: wanted.region,
    description: wanted.description ?? "",
    created: world.clock.now(),
    subnets: (wanted.subnets ?? []).map(({ label, ipv4 }) => ({ id: world.newId(), label, ipv4, nextHost: 2 })),
  };
  state.vpcs.push(vpc);
  return vpc;
};

const vpcView = (vpc: StoredVpc, world: World): Vpc => ({
  id: vpc.id,
  label: vpc.label,
  description: vpc.description,
  region: vpc.region,
  created: apiTime(vpc.created),
  updated: apiTime(vpc.created),
  subnets: vpc.subnets.map(({ id, label, ipv4 }) => ({
    id,
    label,
    ipv4,
    created: apiTime(vpc.created),
    updated: apiTime(vpc.created),
    linodes: world.state.instances
      .filter(({ vpcAddresses }) => vpcAddresses.some(({ subnetId }) => subnetId === id))
      .map((instance) => ({ id: instance.id })),
  })),
});

/** The next address of a subnet; the first two hosts of a range are never given out. */
export const takeSubnetAddress = (subnetId: number, region: string, world: World): StoredVpcAddress => {
  const vpc = world.state.vpcs.find(({ subnets }) => subnets.some(({ id }) => id === subnetId));
  const subnetOf = vpc?.subnets.find(({ id }) => id === subnetId);
  if (vpc === undefined || subnetOf === undefined || vpc.region !== region) {
    throw invalid("A subnet by that ID was not found in this region", "interfaces.subnet_id");
  }
  const [network = "0.0.0.0"] = subnetOf.ipv4.split("/");
  const address = network.split(".").reduce((sum, part) => sum * 256 + Number(part), 0) + subnetOf.nextHost;
  subnetOf.nextHost += 1;
  const dotted = [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join(".");
  return { address: dotted, subnetId, vpcId: vpc.id };
};
