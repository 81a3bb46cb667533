import { X509Certificate } from "node:crypto";
import { given } from "../api/given.ts";
import type { NodeBalancerConfig, NodeBalancerNode } from "@capstan/linode-client";
import {
  type Backend,
  boolean,
  type Fields,
  integer,
  invalid,
  list,
  object,
  type Route,
  type RouteRequest,
  text,
  type ValueOf,
} from "@capstan/simulation";
import { named, resource } from "../api/resource.ts";
import { route } from "../api/route.ts";
import { collection } from "../api/collection.ts";
import { port } from "../api/shapes.ts";
import { note } from "../events.ts";
import type { SimulatorState, StoredNode, StoredNodeBalancer, StoredNodeBalancerConfig } from "../state.ts";
import { nobody } from "./reach.ts";
import { balancerAddress, passesBalancer, passesInstance } from "./traffic.ts";
import type { World } from "../world.ts";
import { vpcAddressesOf } from "./vpc-addresses.ts";

const base = "nodebalancers/:balancer/configs";

const attempts = { type: "integer", min: 1, max: 30 } as const;
const configFields = {
  port,
  protocol: text({ enum: ["tcp", "http", "https", "udp"] }),
  algorithm: text({ enum: ["roundrobin", "leastconn", "source", "ring_hash"] }),
  stickiness: text({ enum: ["none", "table", "http_cookie", "session", "source_ip"] }),
  check: text({ enum: ["none", "connection", "http", "http_body"] }),
  check_interval: integer,
  check_timeout: attempts,
  check_attempts: attempts,
  check_path: text({ pattern: /^[a-zA-Z0-9/\-%?&=.]*$/ }),
  check_body: text(),
  check_passive: boolean,
  cipher_suite: text({ enum: ["recommended", "legacy", "none"] }),
  proxy_protocol: text({ enum: ["none", "v1", "v2"] }),
  udp_check_port: port,
  ssl_cert: text({ nullable: true }),
  ssl_key: text({ nullable: true }),
} satisfies Fields;

const nodeFields = {
  label: text({ min: 3, max: 32, pattern: /^[a-zA-Z0-9-_.]+$/ }),
  address: text(),
  mode: text({ enum: ["accept", "reject", "drain", "backup"] }),
  weight: { type: "integer", min: 1, max: 255 },
  subnet_id: integer,
} satisfies Fields;
const nodeShape = object(nodeFields, ["label", "address"]);
const configShape = object(configFields);

/** A configuration together with its nodes. */
export const configShapeWithNodes = object({ ...configFields, nodes: list(nodeShape) });
const rebuildShape = object(
  { ...configFields, nodes: list(object({ ...nodeFields, id: integer }, ["label", "address"])) },
  ["nodes"],
);

type Asked = Pick<RouteRequest, "params">;

const balancerOf = (request: Asked, { state }: World): StoredNodeBalancer =>
  named(state.nodeBalancers, request, "id", "balancer");

const parentsOf = (request: Asked, world: World) => {
  const balancer = balancerOf(request, world);
  return { balancer, config: named(balancer.configs, request, "id", "config") };
};

const subjectOf = ({ id, label }: StoredNodeBalancer) => ({
  id,
  label,
  type: "nodebalancer",
  url: `/v4/nodebalancers/${id}`,
});

/** Ports of NodeBalancers, and the machines behind them. */
export const nodeBalancerConfigRoutes: readonly Route<World>[] = [
  collection({
    path: base,
    filterable: ["id", "port", "protocol"],
    list: (request, world) => {
      const balancer = balancerOf(request, world);
      return balancer.configs.map((config) => configView(balancer, config, world));
    },
  }),
  route({
    method: "POST",
    path: base,
    body: configShapeWithNodes,
    handle: async (request, world) => {
      const balancer = balancerOf(request, world);
      const config = await createConfig(balancer, request.body, world);
      note(world, "nodebalancer_config_create", subjectOf(balancer));
      return configView(balancer, config, world);
    },
  }),
  route({
    method: "GET",
    path: `${base}/:config`,
    handle: (request, world) => {
      const { balancer, config } = parentsOf(request, world);
      return configView(balancer, config, world);
    },
  }),
  route({
    method: "PUT",
    path: `${base}/:config`,
    body: configShape,
    handle: async (request, world) => {
      const { balancer, config } = parentsOf(request, world);
      await changeConfig(balancer, config, request.body, world);
      note(world, "nodebalancer_config_update", subjectOf(balancer));
      return configView(balancer, config, world);
    },
  }),
  route({
    method: "POST",
    path: `${base}/:config/rebuild`,
    body: rebuildShape,
    handle: async (request, world) => {
      const { balancer, config } = parentsOf(request, world);
      await rebuildConfig(balancer, config, request.body, world);
      return configView(balancer, config, world);
    },
  }),
  route({
    method: "DELETE",
    path: `${base}/:config`,
    handle: async (request, world) => {
      const { balancer, config } = parentsOf(request, world);
      await removeConfig(balancer, config, world);
      return {};
    },
  }),
  ...resource({
    path: `${base}/:config/nodes`,
    filterable: ["id", "label", "address", "mode"],
    items: (request, world) => parentsOf(request, world).config.nodes,
    view: (node, world) => nodeView(node, world),
    event: "nodebalancer_node",
    subject: (_node, world, request) => subjectOf(balancerOf(request, world)),
    create: {
      body: nodeShape,
      make: (body, world, request) => {
        const { balancer, config } = parentsOf(request, world);
        return newNode(balancer, config, body, world);
      },
    },
    update: {
      body: object(nodeFields),
      change: (node, { address, label, mode, weight, subnet_id: subnetId }, world, request) => {
        const { balancer, config } = parentsOf(request, world);
        const vpcConfigId = subnetId === undefined ? node.vpcConfigId : placeIn(balancer, subnetId);
        if (address !== undefined && address !== node.address) checkBackend(balancer, config, address, world);
        Object.assign(node, {
          address: address ?? node.address,
          label: label ?? node.label,
          mode: mode ?? node.mode,
          weight: weight ?? node.weight,
          vpcConfigId,
        });
      },
    },
    remove: () => undefined,
  }),
];

/** Changes a configuration, and gives it these nodes in place of those it has. */
export const rebuildConfig = async (
  balancer: StoredNodeBalancer,
  config: StoredNodeBalancerConfig,
  { nodes, ...change }: ValueOf<typeof rebuildShape>,
  world: World,
): Promise<void> => {
  await changeConfig(balancer, config, change, world);
  const kept = config.nodes;
  config.nodes = [];
  for (const { id, ...wanted } of nodes) {
    const node = newNode(balancer, config, wanted, world);
    config.nodes.push(kept.some((each) => each.id === id) ? { ...node, id: id! } : node);
  }
  note(world, "nodebalancer_config_update", subjectOf(balancer));
};

/** Takes a port from a NodeBalancer. */
export const removeConfig = async (
  balancer: StoredNodeBalancer,
  config: StoredNodeBalancerConfig,
  world: World,
): Promise<void> => {
  balancer.configs = balancer.configs.filter((entry) => entry !== config);
  await world.balancers.close(String(config.id));
  note(world, "nodebalancer_config_delete", subjectOf(balancer));
};

export const createConfig = async (
  balancer: StoredNodeBalancer,
  { nodes = [], ...wanted }: ValueOf<typeof configShapeWithNodes>,
  world: World,
): Promise<StoredNodeBalancerConfig> => {
  const { ssl_cert: _certificate, ssl_key: _key, ...fields } = wanted;
  checkPort(balancer, wanted);
  const certificate = certificateOf(wanted);
  const config: StoredNodeBalancerConfig = {
    port: 80,
    protocol: "http",
    algorithm: "roundrobin",
    stickiness: "none",
    check: "none",
    check_interval: 31,
    check_timeout: 30,
    check_attempts: 3,
    check_path: "",
    check_body: "",
    check_passive: true,
    proxy_protocol: "none",
    cipher_suite: "recommended",
    ssl_fingerprint: "",
    ssl_commonname: "",
    ...certificate,
    ...fields,
    id: world.newId(),
    nodes: [],
  };
  for (const node of nodes) config.nodes.push(newNode(balancer, config, node, world));
  balancer.configs.push(config);
  try {
    await openFrontend(balancer, config, world);
  } catch (error) {
    balancer.configs = balancer.configs.filter((entry) => entry !== config);
    throw error;
  }
  return config;
};

const checkPort = (
  { configs }: StoredNodeBalancer,
  { port: wanted = 80, protocol = "http" }: { readonly port?: number; readonly protocol?: string },
  itself?: StoredNodeBalancerConfig,
): void => {
  const family = protocol === "udp";
  if (configs.some((each) => each !== itself && each.port === wanted && (each.protocol === "udp") === family)) {
    throw invalid("Port must be unique", "port");
  }
};

/** Returns the fields that a configuration shows of its certificate, which one for HTTPS must have. */
const certificateOf = (
  { protocol, ssl_cert: certificate, ssl_key: key }: ValueOf<typeof configShape>,
  before?: StoredNodeBalancerConfig,
): Partial<Pick<StoredNodeBalancerConfig, "ssl_commonname" | "ssl_fingerprint">> => {
  if (!given(certificate) && !given(key)) {
    const needed = (protocol ?? before?.protocol) === "https" && (before?.ssl_fingerprint ?? "") === "";
    if (needed) throw invalid("ssl_cert and ssl_key are required for https", "ssl_cert");
    return {};
  }
  if (!given(certificate)) throw invalid("ssl_cert is required beside ssl_key", "ssl_cert");
  if (!given(key)) throw invalid("ssl_key is required beside ssl_cert", "ssl_key");
  try {
    const { fingerprint, subject } = new X509Certificate(certificate);
    return { ssl_fingerprint: fingerprint, ssl_commonname: /^CN=(.*)$/m.exec(subject)?.[1] ?? "" };
  } catch {
    throw invalid("The SSL certificate is not valid", "ssl_cert");
  }
};

/** Returns the placeholder for a secret that was given once. */
const redacted = (fingerprint: string): string | null => (fingerprint === "" ? null : "<REDACTED>");

const changeConfig = async (
  balancer: StoredNodeBalancer,
  config: StoredNodeBalancerConfig,
  wanted: ValueOf<typeof configShape>,
  world: World,
): Promise<void> => {
  const { ssl_cert: _certificate, ssl_key: _key, ...change } = wanted;
  const { port: before } = config;
  checkPort(balancer, { ...config, ...change }, config);
  Object.assign(config, certificateOf(wanted, config), change);
  if (config.port === before) return;
  await world.balancers.close(String(config.id));
  await openFrontend(balancer, config, world);
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
    backends: () => (passesBalancer(balancer, config.port, world.state) ? backendsOf(config, world.state) : []),
  });

const backendsOf = (config: StoredNodeBalancerConfig, state: SimulatorState): readonly Backend[] =>
  config.nodes.flatMap((node) => {
    const { ip, port: nodePort } = splitAddress(node.address);
    const machine = machineAt(ip, state);
    const usable = node.mode === "accept" && machine?.status === "running";
    if (!usable) return [];
    const isOpen = passesInstance(machine, { direction: "inbound", port: nodePort, peers: [balancerAddress] }, state);
    return [{ id: String(node.id), host: isOpen ? machine.address : nobody(state), port: nodePort }];
  });

const splitAddress = (address: string) => {
  const at = address.lastIndexOf(":");
  return { ip: address.slice(0, at), port: Number(address.slice(at + 1)) };
};

const machineAt = (ip: string, state: SimulatorState) =>
  state.instances.find(
    (instance) =>
      (instance.hasPrivateIp && instance.address === ip) ||
      vpcAddressesOf(instance).some((entry) => entry.address === ip),
  );

const checkBackend = (
  balancer: StoredNodeBalancer,
  { nodes }: StoredNodeBalancerConfig,
  address: string,
  { state }: World,
): void => {
  const { ip, port: nodePort } = splitAddress(address);
  if (!(nodePort >= 1 && nodePort <= 65_535)) throw invalid("Must be an IPv4 address and port", "address");
  const machine = machineAt(ip, state);
  if (machine === undefined) throw invalid("Must be a private address of one of your Linodes", "address");
  if (machine.region !== balancer.region) throw invalid("The Linode is in another region", "address");
  if (nodes.some((node) => node.address === address)) throw invalid("Address must be unique", "address");
};

/** Returns the id of a NodeBalancer's connection to a subnet. Throws if it has none. */
const placeIn = ({ vpcs }: StoredNodeBalancer, subnetId: number): number => {
  const found = vpcs.find(({ subnet_id: id }) => id === subnetId);
  if (found === undefined) throw invalid("The NodeBalancer is not in this subnet", "subnet_id");
  return found.id;
};

const newNode = (
  balancer: StoredNodeBalancer,
  config: StoredNodeBalancerConfig,
  wanted: ValueOf<typeof nodeShape>,
  world: World,
): StoredNode => {
  checkBackend(balancer, config, wanted.address, world);
  return {
    id: world.newId(),
    label: wanted.label,
    address: wanted.address,
    mode: wanted.mode ?? "accept",
    weight: wanted.weight ?? 50,
    vpcConfigId: wanted.subnet_id === undefined ? null : placeIn(balancer, wanted.subnet_id),
  };
};

const configView = (
  balancer: StoredNodeBalancer,
  { nodes, ...config }: StoredNodeBalancerConfig,
  world: World,
): NodeBalancerConfig => {
  const down = nodes.filter(({ id }) => world.balancers.health(String(id)) === "down").length;
  return {
    ...config,
    nodebalancer_id: balancer.id,
    ssl_cert: redacted(config.ssl_fingerprint),
    ssl_key: redacted(config.ssl_fingerprint),
    udp_session_timeout: 16,
    nodes_status: { up: nodes.length - down, down },
  };
};

const healths = { unknown: "Unknown", up: "UP", down: "DOWN" } as const;

const nodeView = (node: StoredNode, world: World): NodeBalancerNode => {
  const balancer = world.state.nodeBalancers.find(({ configs }) => configs.some(({ nodes }) => nodes.includes(node)));
  const config = balancer?.configs.find(({ nodes }) => nodes.includes(node));
  return {
    id: node.id,
    nodebalancer_id: balancer?.id ?? 0,
    config_id: config?.id ?? 0,
    label: node.label,
    address: node.address,
    mode: node.mode,
    weight: node.weight,
    status: healths[world.balancers.health(String(node.id))],
    vpc_config_id: node.vpcConfigId,
  };
};
