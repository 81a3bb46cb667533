import { createHash } from "node:crypto";
import type { BalancedServiceV1 } from "@capstan/contract/v1";
import { createConfig, rebuildConfig, removeConfig } from "../resources/node-balancer-configs.ts";
import { balancerView, createBalancer, removeBalancer } from "../resources/node-balancers.ts";
import { vpcAddressesOf } from "../resources/vpc-addresses.ts";
import type { StoredNodeBalancer } from "../state.ts";
import type { World } from "../world.ts";

type Named = Pick<BalancedServiceV1, "annotations" | "cluster" | "uid">;

interface Settings {
  /** Region of the controller. */
  readonly region: string;
}

const prefix = "service.beta.kubernetes.io/linode-loadbalancer-";

const annotation = ({ annotations }: Pick<Named, "annotations">, name: string): string | undefined =>
  annotations[`${prefix}${name}`];

/** The label of the NodeBalancer that is made for a Service. */
const labelOf = ({ uid }: Named): string => `ccm-${createHash("sha256").update(uid).digest("hex").slice(0, 12)}`;

/** The NodeBalancer of a Service: the one that it names, else its own. */
const find = (service: Named, { state }: World): StoredNodeBalancer | undefined => {
  const asked = annotation(service, "nodebalancer-id");
  const found = state.nodeBalancers.find((balancer) =>
    asked === undefined ? balancer.label === labelOf(service) : String(balancer.id) === asked,
  );
  if (found === undefined && asked !== undefined) throw new Error(`[404] Not found: NodeBalancer ${asked}`);
  return found;
};

type Port = BalancedServiceV1["ports"][number];

interface PortSettings {
  readonly protocol?: string;
  readonly "proxy-protocol"?: string;
}

const settingsOf = (service: BalancedServiceV1, { port }: Port): PortSettings => {
  const text = annotation(service, `port-${port}`);
  if (text === undefined) return {};
  try {
    return JSON.parse(text) as PortSettings;
  } catch (error) {
    throw new Error(`annotation ${prefix}port-${port} is not JSON: ${(error as Error).message}`, { cause: error });
  }
};

type WantedConfig = Parameters<typeof rebuildConfig>[2];

const oneOf = <T extends string>(text: string, names: readonly T[], field: string): T => {
  const found = names.find((name) => name === text.toLowerCase());
  if (found === undefined) throw new Error(`invalid ${field}: ${JSON.stringify(text)} specified`);
  return found;
};

/** A label of a backend is at most 32 characters long. */
const backendLabel = (name: string): string => (name.length < 3 ? `node-${name}` : name.slice(0, 32));

/** Where a NodeBalancer reaches a Node: the private address of its instance, else one in a VPC. */
const backendAddress = (providerID: string, { state }: World): string => {
  const instance = state.instances.find(({ id }) => providerID === `linode://${id}`);
  if (instance === undefined) return "";
  return instance.hasPrivateIp ? instance.address : (vpcAddressesOf(instance)[0]?.address ?? "");
};

const configOf = (service: BalancedServiceV1, port: Port, world: World): WantedConfig => {
  const settings = settingsOf(service, port);
  const ofKind = port.protocol === "UDP" ? "udp" : "tcp";
  const protocol = settings.protocol ?? annotation(service, "default-protocol") ?? ofKind;
  const proxy = settings["proxy-protocol"] ?? annotation(service, "default-proxy-protocol") ?? "none";
  const check = annotation(service, "check-type") ?? (ofKind === "udp" ? "none" : "connection");
  return {
    port: port.port,
    protocol: oneOf(protocol, ["tcp", "http", "https", "udp"], "protocol"),
    proxy_protocol: oneOf(proxy, ["none", "v1", "v2"], "NodeBalancer proxy protocol value"),
    check: oneOf(check, ["none", "connection", "http", "http_body"], "health check type"),
    nodes: service.nodes.map(({ name, providerID }) => ({
      label: backendLabel(name),
      address: `${backendAddress(providerID, world)}:${port.nodePort}`,
      mode: "accept",
      weight: 100,
    })),
  };
};

const tagsOf = (service: Named): readonly string[] => [
  ...(service.cluster === "" ? [] : [service.cluster]),
  ...(annotation(service, "tags") ?? "").split(",").filter((tag) => tag !== ""),
];

const create = (service: BalancedServiceV1, { region }: Settings, world: World): Promise<StoredNodeBalancer> => {
  const firewall = annotation(service, "firewall-id");
  return createBalancer(
    {
      label: labelOf(service),
      region,
      tags: [...tagsOf(service)],
      client_conn_throttle: Number(annotation(service, "throttle") ?? 0),
      ...(firewall !== undefined && { firewall_id: Number(firewall) }),
    },
    world,
  );
};

/** Makes the NodeBalancer of a Service what it has to be: a port for each of the Service's, with every Node behind it. */
export const balanceService = async (
  service: BalancedServiceV1,
  settings: Settings,
  world: World,
): Promise<readonly { readonly ip?: string; readonly hostname?: string }[]> => {
  const wanted = service.ports.map((port) => configOf(service, port, world));
  const balancer = find(service, world) ?? (await create(service, settings, world));
  const ports = new Set(wanted.map(({ port }) => port));
  for (const config of balancer.configs) if (!ports.has(config.port)) await removeConfig(balancer, config, world);
  for (const each of wanted) {
    const config = balancer.configs.find(({ port }) => port === each.port);
    if (config === undefined) await createConfig(balancer, each, world);
    else await rebuildConfig(balancer, config, each, world);
  }
  const { hostname, ipv4 } = balancerView(balancer, world.state);
  const name = hostname ?? "";
  return [
    annotation(service, "hostname-only-ingress") === "true" ? { hostname: name } : { hostname: name, ip: ipv4 ?? "" },
  ];
};

/** Deletes the NodeBalancer of a Service, unless it is to be kept. */
export const unbalanceService = async (service: Named, world: World): Promise<void> => {
  if (annotation(service, "preserve") === "true") return;
  const balancer = find(service, world);
  if (balancer !== undefined) await removeBalancer(balancer, world);
};
