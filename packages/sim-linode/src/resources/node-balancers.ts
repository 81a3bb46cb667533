import type { NodeBalancer } from "@capstan/linode-client";
import { boolean, integer, invalid, list, object, type Route, text, type ValueOf } from "@capstan/simulation";
import { freeRange, includes, overlaps, parseRange } from "@capstan/simulation/network";
import { collection } from "../api/collection.ts";
import { inUse } from "../api/refusals.ts";
import { named, resource } from "../api/resource.ts";
import { route } from "../api/route.ts";
import { tags } from "../api/shapes.ts";
import { note, settle } from "../events.ts";
import { regions } from "../seed.ts";
import type { SimulatorState, StoredNodeBalancer, StoredSubnet } from "../state.ts";
import type { World } from "../world.ts";
import { checkQuota } from "./account-rules.ts";
import {
  checkFirewall,
  firewallCollection,
  firewallsOf,
  forgetDevice,
  setFirewall,
  setFirewalls,
} from "./firewalls.ts";
import { firewallView } from "./firewalls.ts";
import { checkUnlocked, locksOf } from "./locks.ts";
import { balancerIpv6 } from "./example-addresses.ts";
import { configShapeWithNodes, createConfig } from "./node-balancer-configs.ts";
import { apiTime } from "../times.ts";
import { addressesIn } from "./vpc-addresses.ts";
import { subnetIn } from "./vpcs.ts";

const base = "nodebalancers";
const label = text({ min: 3, max: 32, pattern: /^[a-zA-Z0-9-_]+$/ });
const throttle = { type: "integer", min: 0, max: 20 } as const;

const createShape = object(
  {
    region: text(),
    label,
    // linodego sends null where there are none.
    tags: { ...tags, nullable: true },
    client_conn_throttle: throttle,
    client_udp_sess_throttle: throttle,
    type: text({ enum: ["common", "premium", "premium_40gb"] }),
    ipv4: text(),
    firewall_id: integer,
    configs: list(configShapeWithNodes),
    vpcs: list(
      object({ subnet_id: integer, ipv4_range: text(), ipv4_range_auto_assign: boolean, ipv6_range: text() }, [
        "subnet_id",
      ]),
    ),
  },
  ["region"],
);

export const nodeBalancerRoutes: readonly Route<World>[] = [
  ...resource({
    path: base,
    filterable: ["id", "label", "region", "tags", "ipv4", "ipv6", "hostname", "client_conn_throttle"],
    items: (_request, { state }) => state.nodeBalancers,
    view: (balancer, { state }) => balancerView(balancer, state),
    event: "nodebalancer",
    update: {
      body: object({ label, tags, client_conn_throttle: throttle, client_udp_sess_throttle: throttle }),
      change: (balancer, body, { state }) => {
        checkLabel(state.nodeBalancers, body.label, balancer);
        balancer.label = body.label ?? balancer.label;
        balancer.tags = body.tags ?? balancer.tags;
        balancer.throttle = body.client_conn_throttle ?? balancer.throttle;
        balancer.udpThrottle = body.client_udp_sess_throttle ?? udpThrottleOf(balancer);
      },
    },
  }),
  route({
    method: "POST",
    path: base,
    body: createShape,
    handle: async ({ body }, world) => balancerView(await createBalancer(body, world), world.state),
  }),
  route({
    method: "DELETE",
    path: `${base}/:id`,
    handle: async (request, world) => {
      const balancer = named(world.state.nodeBalancers, request, "id");
      checkUnlocked("nodebalancer", balancer.id, world.state);
      await removeBalancer(balancer, world);
      return {};
    },
  }),
  firewallCollection(
    `${base}/:id/firewalls`,
    "nodebalancer",
    (request, { state }) => named(state.nodeBalancers, request, "id").id,
  ),
  route({
    method: "PUT",
    path: `${base}/:id/firewalls`,
    body: object({ firewall_ids: list(integer) }, ["firewall_ids"]),
    handle: (request, world) => {
      const { id } = named(world.state.nodeBalancers, request, "id");
      setFirewalls("nodebalancer", id, request.body.firewall_ids, world, "firewall_ids");
      const data = firewallsOf("nodebalancer", id, world).map((firewall) => firewallView(firewall, world));
      return { data, page: 1, pages: 1, results: data.length };
    },
  }),
  route({
    method: "GET",
    path: `${base}/:id/stats`,
    handle: (request, { state }) => ({
      title: `linode.com - balancer${named(state.nodeBalancers, request, "id").id} - day (5 min avg)`,
      data: { connections: [], traffic: { in: [], out: [] } },
    }),
  }),
  collection({
    path: `${base}/:id/vpcs`,
    filterable: [],
    list: (request, { state }) => {
      const { id, vpcs } = named(state.nodeBalancers, request, "id");
      return vpcs.map((each) => ({ ...each, nodebalancer_id: id }));
    },
  }),
  route({
    method: "GET",
    path: `${base}/:id/vpcs/:vpc`,
    handle: (request, { state }) => {
      const { id, vpcs } = named(state.nodeBalancers, request, "id");
      return { ...named(vpcs, request, "id", "vpc"), nodebalancer_id: id };
    },
  }),
];

const subjectOf = ({ id, label: name }: StoredNodeBalancer) => ({
  id,
  label: name,
  type: "nodebalancer",
  url: `/v4/${base}/${id}`,
});

const checkLabel = (
  balancers: readonly StoredNodeBalancer[],
  wanted: string | undefined,
  itself?: StoredNodeBalancer,
): void => {
  if (balancers.some((balancer) => balancer !== itself && balancer.label === wanted)) {
    throw invalid("Label must be unique among your NodeBalancers", "label");
  }
};

/** Takes a NodeBalancer out of the account. */
export const removeBalancer = async (gone: StoredNodeBalancer, world: World): Promise<void> => {
  world.state.nodeBalancers = world.state.nodeBalancers.filter((balancer) => balancer !== gone);
  forgetDevice("nodebalancer", gone.id, world);
  note(world, "nodebalancer_delete", subjectOf(gone));
  await Promise.all(gone.configs.map(({ id }) => world.balancers.close(String(id))));
};

/** Handles `POST /nodebalancers` with a body of the right shape. */
export const createBalancer = async (
  wanted: ValueOf<typeof createShape>,
  world: World,
): Promise<StoredNodeBalancer> => {
  const { state } = world;
  checkQuota(world, "nodeBalancers", state.nodeBalancers.length);
  if (!regions.some(({ id }) => id === wanted.region)) throw invalid("region is not valid", "region");
  checkLabel(state.nodeBalancers, wanted.label);
  checkFirewall(wanted.firewall_id, world, "firewall_id");
  if (wanted.ipv4 !== undefined) {
    throw invalid("Simulated NodeBalancers have addresses of this computer; leave ipv4 out", "ipv4");
  }
  const id = world.newId();
  const balancer: StoredNodeBalancer = {
    id,
    label: wanted.label ?? `nodebalancer${id}`,
    region: wanted.region,
    ipv4: world.newAddress(),
    tags: wanted.tags ?? [],
    throttle: wanted.client_conn_throttle ?? 0,
    udpThrottle: wanted.client_udp_sess_throttle ?? 0,
    type: wanted.type ?? "common",
    created: world.clock.now(),
    updated: world.clock.now(),
    configs: [],
    vpcs: (wanted.vpcs ?? []).map((each, index) => inVpc(each, wanted.region, world, `vpcs.${index}`)),
  };
  state.nodeBalancers.push(balancer);
  try {
    for (const config of wanted.configs ?? []) await createConfig(balancer, config, world);
  } catch (error) {
    state.nodeBalancers = state.nodeBalancers.filter((each) => each !== balancer);
    await Promise.all(balancer.configs.map((config) => world.balancers.close(String(config.id))));
    throw error;
  }
  setFirewall("nodebalancer", id, wanted.firewall_id ?? state.defaultFirewalls.nodebalancer, world, "firewall_id");
  note(world, "nodebalancer_create", subjectOf(balancer), "started");
  settle(world, subjectOf(balancer));
  return balancer;
};

/** The range in a subnet that a NodeBalancer reaches its backends from: the one asked for, or the next free /30 in it or in the subnet. */
interface WantedPlace {
  readonly subnet_id: number;
  readonly ipv4_range?: string;
  readonly ipv4_range_auto_assign?: boolean;
  readonly ipv6_range?: string;
}

const inVpc = (place: WantedPlace, region: string, world: World, field: string): StoredNodeBalancer["vpcs"][number] => {
  const { subnet_id: subnetId, ipv4_range: asked, ipv6_range: ipv6 } = place;
  const { ipv4_range_auto_assign: automatic = asked === undefined } = place;
  const { vpc, subnet } = subnetIn(subnetId, region, world, `${field}.subnet_id`);
  const outer = parseRange(subnet.ipv4);
  const taken = [
    ...world.state.nodeBalancers.flatMap(({ vpcs }) => vpcs.filter((each) => each.subnet_id === subnetId)),
    ...addressesIn(world.state, subnetId).map(({ address }) => ({ ipv4_range: `${address}/32` })),
  ].flatMap((each) => parseRange(each.ipv4_range) ?? []);
  const pool = asked === undefined ? outer : parseRange(asked);
  const range = automatic ? pool && freeRange(pool, 30, taken) : asked;
  const parsed = range === undefined ? undefined : parseRange(range);
  if (range === undefined || parsed === undefined || outer === undefined || !overlaps(outer, parsed)) {
    throw invalid("Must be a range of the subnet", `${field}.ipv4_range`);
  }
  if (taken.some((each) => overlaps(each, parsed))) throw inUse("range", `${field}.ipv4_range`);
  const ofIpv6 = ipv6 === undefined ? {} : { ipv6_range: ipv6Range(ipv6, subnet, `${field}.ipv6_range`) };
  return { id: world.newId(), vpc_id: vpc.id, subnet_id: subnetId, ipv4_range: range, ...ofIpv6 };
};

/** A range of IPv6 that its subnet has. */
const ipv6Range = (asked: string, { ipv6 }: StoredSubnet, field: string): string => {
  const range = parseRange(asked);
  const outer = ipv6.flatMap((each) => parseRange(each.range) ?? []);
  if (range === undefined || !outer.some((each) => includes(each, range))) {
    throw invalid("Must be a range of the subnet", field);
  }
  return asked;
};

const udpThrottleOf = ({ udpThrottle = 0 }: StoredNodeBalancer): number => udpThrottle;

export function balancerView(balancer: StoredNodeBalancer, state: SimulatorState): NodeBalancer {
  return {
    id: balancer.id,
    label: balancer.label,
    region: balancer.region,
    hostname: `nb-${balancer.ipv4.replaceAll(".", "-")}.${balancer.region}.nodebalancer.linode.com`,
    ipv4: balancer.ipv4,
    ipv6: balancerIpv6(balancer.id),
    frontend_address_type: "public",
    frontend_vpc_subnet_id: null,
    lke_cluster: null,
    locks: locksOf("nodebalancer", balancer.id, state),
    tags: balancer.tags,
    client_conn_throttle: balancer.throttle,
    client_udp_sess_throttle: udpThrottleOf(balancer),
    type: balancer.type ?? "common",
    transfer: { in: null, out: null, total: null },
    created: apiTime(balancer.created),
    updated: apiTime(balancer.updated),
  };
}
