import type {
  CreateNodeBalancer,
  CreateNodeBalancerConfig,
  CreateNodeBalancerNode,
  NodeBalancer,
  NodeBalancerConfig,
  NodeBalancerNode,
} from "@capstan/linode-client";
import {
  type Backend,
  boolean,
  integer,
  invalid,
  list,
  notFound,
  object,
  type Route,
  type RouteRequest,
  text,
} from "@capstan/simulation";
import { collection } from "../api/collection.ts";
import { idOf, route } from "../api/route.ts";
import { port, tags } from "../api/shapes.ts";
import { regions } from "../seed.ts";
import type { SimulatorState, StoredNode, StoredNodeBalancer, StoredNodeBalancerConfig } from "../state.ts";
import type { World } from "../world.ts";
import { firewallView } from "./networking.ts";
import { apiTime } from "./times.ts";

const base = "nodebalancers";
const label = text({ min: 3, max: 32, pattern: /^[a-zA-Z0-9-_]+$/ });
const throttle = { type: "integer", min: 0, max: 20 } as const;

const createShape = object(
  {
    region: text(),
    label,
    tags,
    client_conn_throttle: throttle,
    firewall_id: integer,
    vpcs: list(object({ subnet_id: integer, ipv4_range: text() }, ["subnet_id"])),
  },
  ["region"],
);
const attempts = { type: "integer", min: 1, max: 30 } as const;
const createConfigShape = object({
  port,
  protocol: text({ enum: ["tcp", "http", "https"] }),
  algorithm: text({ enum: ["roundrobin", "leastconn", "source"] }),
  stickiness: text({ enum: ["none", "table", "http_cookie"] }),
  check: text({ enum: ["none", "connection", "http", "http_body"] }),
  check_interval: integer,
  check_timeout: attempts,
  check_attempts: attempts,
  check_path: text(),
  check_body: text(),
  check_passive: boolean,
  proxy_protocol: text({ enum: ["none", "v1", "v2"] }),
});
const createNodeShape = object(
  {
    label: text({ min: 3, max: 32, pattern: /^[a-zA-Z0-9-_.]+$/ }),
    address: text(),
    mode: text({ enum: ["accept", "reject", "drain", "backup"] }),
    weight: { type: "integer", min: 1, max: 255 },
    subnet_id: integer,
  },
  ["label", "address"],
);

export const nodeBalancerRoutes: readonly Route<World>[] = [
  collection({
    path: base,
    filterable: ["id", "label", "region", "tags", "ipv4", "ipv6", "hostname", "client_conn_throttle"],
    list: (_request, { state }) => state.nodeBalancers.map(view),
  }),
  route({
    method: "POST",
    path: base,
    body: createShape,
    handle: ({ body }, world) => view(create(body, world)),
  }),
  route({ method: "GET", path: `${base}/:id`, handle: (request, world) => view(find(request, world)) }),
  route({
    method: "PUT",
    path: `${base}/:id`,
    body: object({ label, tags, client_conn_throttle: throttle }),
    handle: (request, world) => {
      const balancer = find(request, world);
      const change = request.body;
      balancer.label = change.label ?? balancer.label;
      balancer.tags = change.tags ?? balancer.tags;
      balancer.throttle = change.client_conn_throttle ?? balancer.throttle;
      balancer.updated = world.clock.now();
      return view(balancer);
    },
  }),
  route({
    method: "DELETE",
    path: `${base}/:id`,
    handle: async (request, world) => {
      const gone = find(request, world);
      world.state.nodeBalancers = world.state.nodeBalancers.filter((balancer) => balancer !== gone);
      await Promise.all(gone.configs.map(({ id }) => world.balancers.close(String(id))));
      return {};
    },
  }),
  collection({
    path: `${base}/:id/firewalls`,
    filterable: ["label"],
    list: (request, world) => {
      const { firewallId } = find(request, world);
      return world.state.firewalls.filter(({ id }) => id === firewallId).map(firewallView);
    },
  }),
  collection({
    path: `${base}/:id/configs`,
    filterable: [],
    list: (request, world) => {
      const balancer = find(request, world);
      return balancer.configs.map((config) => configView(balancer, config, world));
    },
  }),
  route({
    method: "POST",
    path: `${base}/:id/configs`,
    body: createConfigShape,
    handle: async (request, world) => {
      const balancer = find(request, world);
      return configView(balancer, await createConfig(balancer, request.body, world), world);
    },
  }),
  route({
    method: "GET",
    path: `${base}/:id/configs/:config`,
    handle: (request, world) => {
      const { balancer, config } = findConfig(request, world);
      return configView(balancer, config, world);
    },
  }),
  route({
    method: "DELETE",
    path: `${base}/:id/configs/:config`,
    handle: async (request, world) => {
      const { balancer, config } = findConfig(request, world);
      balancer.configs = balancer.configs.filter((entry) => entry !== config);
      await world.balancers.close(String(config.id));
      return {};
    },
  }),
  collection({
    path: `${base}/:id/configs/:config/nodes`,
    filterable: [],
    list: (request, world) => {
      const { balancer, config } = findConfig(request, world);
      return config.nodes.map((node) => nodeView(balancer, config, node, world));
    },
  }),
  route({
    method: "POST",
    path: `${base}/:id/configs/:config/nodes`,
    body: createNodeShape,
    handle: (request, world) => {
      const { balancer, config } = findConfig(request, world);
      const node = createNode(balancer, config, request.body, world);
      return nodeView(balancer, config, node, world);
    },
  }),
  route({
    method: "DELETE",
    path: `${base}/:id/configs/:config/nodes/:node`,
    handle: (request, world) => {
      const { config } = findConfig(request, world);
      const gone = config.nodes.find(({ id }) => id === idOf(request, "node"));
      if (gone === undefined) throw notFound();
      config.nodes = config.nodes.filter((node) => node !== gone);
      return {};
    },
  }),
];

const find = (request: Pick<RouteRequest, "params">, { state }: World): StoredNodeBalancer => {
  const found = state.nodeBalancers.find(({ id }) => id === idOf(request));
  if (found === undefined) throw notFound();
  return found;
};

const findConfig = (request: Pick<RouteRequest, "params">, world: World) => {
  const balancer = find(request, world);
  const config = balancer.configs.find(({ id }) => id === idOf(request, "config"));
  if (config === undefined) throw notFound();
  return { balancer, config };
};

const create = (wanted: CreateNodeBalancer, world: World): StoredNodeBalancer => {
  const { state } = world;
  if (!regions.some(({ id }) => id === wanted.region)) throw invalid("region is not valid", "region");
  if (state.nodeBalancers.some((balancer) => balancer.label === wanted.label)) {
    throw invalid("Label must be unique among your NodeBalancers", "label");
  }
  if (wanted.firewall_id !== undefined && !state.firewalls.some(({ id }) => id === wanted.firewall_id)) {
    throw invalid("A Firewall by that ID was not found", "firewall_id");
  }
  const id = world.newId();
  const balancer: StoredNodeBalancer = {
    id,
    label: wanted.label ?? `nodebalancer${id}`,
    region: wanted.region,
    ipv4: world.newAddress(),
    tags: wanted.tags ?? [],
    firewallId: wanted.firewall_id ?? null,
    throttle: wanted.client_conn_throttle ?? 0,
    created: world.clock.now(),
    updated: world.clock.now(),
    configs: [],
  };
  state.nodeBalancers.push(balancer);
  return balancer;
};

const createConfig = async (
  balancer: StoredNodeBalancer,
  wanted: Partial<CreateNodeBalancerConfig>,
  world: World,
): Promise<StoredNodeBalancerConfig> => {
  const wantedPort = wanted.port ?? 80;
  if (balancer.configs.some((config) => config.port === wantedPort)) throw invalid("Port must be unique", "port");
  const config: StoredNodeBalancerConfig = {
    id: world.newId(),
    port: wantedPort,
    protocol: wanted.protocol ?? "http",
    algorithm: wanted.algorithm ?? "roundrobin",
    stickiness: wanted.stickiness ?? "none",
    check: wanted.check ?? "none",
    nodes: [],
  };
  balancer.configs.push(config);
  try {
    await openFrontend(balancer, config, world);
  } catch (error) {
    balancer.configs = balancer.configs.filter((entry) => entry !== config);
    throw error;
  }
  return config;
};

/** Starts forwarding for a configuration, also one of a saved state. */
export const openFrontend = (
  balancer: StoredNodeBalancer,
  config: StoredNodeBalancerConfig,
  world: Pick<World, "balancers" | "state">,
): Promise<void> =>
  world.balancers.open({
    id: String(config.id),
    host: balancer.ipv4,
    port: config.port,
    backends: () => backendsOf(config, world.state),
  });

const backendsOf = (config: StoredNodeBalancerConfig, state: SimulatorState): readonly Backend[] =>
  config.nodes.flatMap((node) => {
    const { ip, port: nodePort } = splitAddress(node.address);
    const machine = machineAt(ip, state);
    const usable = node.mode === "accept" && machine?.status === "running";
    return usable ? [{ id: String(node.id), host: machine.address, port: nodePort }] : [];
  });

const splitAddress = (address: string) => {
  const at = address.lastIndexOf(":");
  return { ip: address.slice(0, at), port: Number(address.slice(at + 1)) };
};

const machineAt = (ip: string, state: SimulatorState) =>
  state.instances.find(
    ({ hasPrivateIp, address, vpcAddresses }) =>
      (hasPrivateIp && address === ip) || vpcAddresses.some((entry) => entry.address === ip),
  );

const createNode = (
  balancer: StoredNodeBalancer,
  config: StoredNodeBalancerConfig,
  wanted: CreateNodeBalancerNode,
  world: World,
): StoredNode => {
  const { ip, port: nodePort } = splitAddress(wanted.address);
  if (!(nodePort >= 1 && nodePort <= 65_535)) throw invalid("Must be an IPv4 address and port", "address");
  const machine = machineAt(ip, world.state);
  if (machine === undefined) throw invalid("Must be a private address of one of your Linodes", "address");
  if (machine.region !== balancer.region) throw invalid("The Linode is in another region", "address");
  if (config.nodes.some(({ address }) => address === wanted.address)) {
    throw invalid("Address must be unique", "address");
  }
  const node: StoredNode = {
    id: world.newId(),
    label: wanted.label,
    address: wanted.address,
    mode: wanted.mode ?? "accept",
    weight: wanted.weight ?? 50,
  };
  config.nodes.push(node);
  return node;
};

const view = (balancer: StoredNodeBalancer): NodeBalancer => ({
  id: balancer.id,
  label: balancer.label,
  region: balancer.region,
  hostname: `nb-${balancer.ipv4.replaceAll(".", "-")}.${balancer.region}.nodebalancer.linode.com`,
  ipv4: balancer.ipv4,
  ipv6: null,
  tags: balancer.tags,
  client_conn_throttle: balancer.throttle,
  created: apiTime(balancer.created),
  updated: apiTime(balancer.updated),
});

const configView = (
  balancer: StoredNodeBalancer,
  config: StoredNodeBalancerConfig,
  world: World,
): NodeBalancerConfig => {
  const down = config.nodes.filter(({ id }) => world.balancers.health(String(id)) === "down").length;
  return {
    id: config.id,
    nodebalancer_id: balancer.id,
    port: config.port,
    protocol: config.protocol,
    algorithm: config.algorithm,
    stickiness: config.stickiness,
    check: config.check,
    check_interval: 31,
    check_timeout: 30,
    check_attempts: 3,
    check_path: "",
    check_body: "",
    check_passive: true,
    proxy_protocol: "none",
    nodes_status: { up: config.nodes.length - down, down },
  };
};

const health = ({ id }: StoredNode, { balancers }: World): NodeBalancerNode["status"] => {
  const seen = balancers.health(String(id));
  return seen === "unknown" ? seen : seen === "up" ? "UP" : "DOWN";
};

const nodeView = (
  balancer: StoredNodeBalancer,
  config: StoredNodeBalancerConfig,
  node: StoredNode,
  world: World,
): NodeBalancerNode => ({
  id: node.id,
  nodebalancer_id: balancer.id,
  config_id: config.id,
  label: node.label,
  address: node.address,
  mode: node.mode,
  weight: node.weight,
  status: health(node, world),
});
