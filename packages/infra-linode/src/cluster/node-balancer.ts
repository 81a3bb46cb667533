import type { ConditionInput } from "@capstan/contract/wire";
import type { ClusterFacts, ClusterVerbContext, Handled } from "@capstan/kit/cluster";
import { adopts, hasRecorded, ownedCondition, ownerTag, withEpoch } from "@capstan/kit/engine";
import type { NodeBalancer, NodeBalancerConfig } from "@capstan/linode-client";
import type { LinodeCluster } from "../api/linode-cluster.v1alpha2.ts";
import type { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";
import { createLabelled, labelsFor } from "../cloud/labels.ts";
import type { LinodeApi } from "../cloud/linode-api.ts";
import { findSubnet } from "../cloud/subnet.ts";
import { backendChanges, wantedBackends } from "./backends.ts";
import type { LookUp } from "../dns/zone.ts";
import { apiPort } from "./endpoint.ts";
import type { DnsProvider } from "./endpoint.ts";
import { refuseForeign, type NamedPlaces } from "../resource/foreign-ids.ts";
import { missingById } from "../resource/given-id.ts";
import { hasUid, holderOf, ownerTags } from "../resource/owner-tags.ts";
import type { Holder } from "../resource/owner-tags.ts";
import { requirementsOf, vpcOf } from "./requirements.ts";
import type { requirementUses } from "./requirements.ts";

/** The API with the cluster's token, and the zones of names. */
export interface ClusterApi extends LinodeApi {
  readonly zones: Readonly<Record<DnsProvider, LookUp>>;
}

export type ClusterContext = ClusterVerbContext<LinodeCluster, ClusterApi, LinodeMachine, typeof requirementUses>;
export type StepContext = ClusterContext & Handled;

const maxLabel = 32;

/** The cluster's NodeBalancer: the one recorded in the spec, or, after a crash, the one with our tag. */
export const findNodeBalancer = async ({
  object,
  identity,
  api,
  call,
}: ClusterContext): Promise<NodeBalancer | undefined> => {
  const recorded = object.spec.network?.nodeBalancerID;
  const byId = recorded === undefined ? undefined : await api.getBalancer(recorded, call);
  if (byId !== undefined) return byId;
  const marked = await api.findBalancer({ tag: ownerTag(identity.owner) }, call);
  return marked ?? api.findBalancer({ tag: identity.tag }, call);
};

const field = "spec.network.nodeBalancerID";
const thingOf = ({ id }: NodeBalancer) => ({ what: `NodeBalancer ${id}`, field });
/** One that is balanced, and stays when the cluster goes. */
const lentOf = ({ id }: NodeBalancer) => ({ what: `NodeBalancer ${id}, provided by the user`, field });

/** Whose a NodeBalancer is. Upstream puts its owner's uid on each that it makes: one without any was brought by the user. */
export const balancerHolder = (balancer: NodeBalancer, { identity, object, uses }: ClusterContext): Holder => {
  const isOwnUnmarked = adopts(object, uses.ids) || (hasUid(balancer.tags) && hasRecorded(object, thingOf(balancer)));
  return holderOf(balancer.tags, { identity, kind: "LinodeCluster", peers: uses.clusters, isOwnUnmarked });
};

/**
 * Returns whether a NodeBalancer is changed: one that the user brought only where an administrator trusts the namespace, or where it was the
 * cluster's before that was asked.
 */
export const isManaged = (balancer: NodeBalancer, context: ClusterContext): boolean => {
  const { object, uses } = context;
  const { kind } = balancerHolder(balancer, context);
  if (kind !== "nobody") return kind === "ours";
  return uses.ids.has(object.metadata.namespace) || hasRecorded(object, lentOf(balancer));
};

/** Whose it is, as the status records it. */
export const balancerOwned = (balancer: NodeBalancer, context: ClusterContext): ConditionInput =>
  isMade(balancer, context) || !isManaged(balancer, context)
    ? ownedCondition(thingOf(balancer), isMade(balancer, context))
    : ownedCondition(lentOf(balancer), true);

/** Made for this cluster, by us or by upstream, and not brought by the user. */
export const isMade = (balancer: NodeBalancer, context: ClusterContext): boolean =>
  balancerHolder(balancer, context).kind === "ours";

/** Puts the owner, and the installation, on a NodeBalancer that lacks them: an older release, or upstream's controllers, made it. */
export const markBalancer = async (context: StepContext): Promise<void> => {
  const { api, call, handle, identity } = context;
  const balancer = await api.getBalancer(Number(handle), call);
  if (balancer === undefined || !isMade(balancer, context)) return;
  await api.setBalancerTags(balancer.id, withEpoch([...balancer.tags, ...ownerTags(identity.owner)], identity), call);
};

/** Returns the places of a cluster's NodeBalancer by the ids that the cluster names. */
export const clusterPlaces = ({ spec: { network, vpcID } }: LinodeCluster): NamedPlaces => {
  const { nodeBalancerFirewallID: firewall = 0 } = network ?? {};
  const isInVpc = network?.enableVPCBackends === true && vpcID !== undefined;
  return {
    vpc: isInVpc ? { field: "spec.vpcID", id: vpcID } : undefined,
    firewalls: firewall === 0 ? [] : [{ field: "spec.network.nodeBalancerFirewallID", id: firewall }],
  };
};

export const createNodeBalancer = async (context: ClusterContext): Promise<void> => {
  const { identity, api, call, object } = context;
  // The controller's own id stands beside the endpoint, and nothing is made where that is.
  const given = object.spec.network?.nodeBalancerID;
  if (given !== undefined) {
    throw missingById(object, { field, noun: "NodeBalancer", id: given });
  }
  await refuseForeign(context, clusterPlaces(object));
  await createLabelled(labelsFor(identity, maxLabel), {
    create: async (label) => api.createBalancer(await balancerBody(context, label), call),
    isOurs: async (label) => {
      const holder = await api.findBalancer({ label }, call);
      return holder !== undefined && isMade(holder, context);
    },
  });
};

const balancerBody = async (context: ClusterContext, label: string) => {
  const { object, identity, api, call } = context;
  const { region, network } = object.spec;
  const outcome = requirementsOf(context);
  const { firewallId, vpcId } = "waiting" in outcome ? {} : outcome;
  const subnet =
    network?.enableVPCBackends === true && vpcId !== undefined
      ? await findSubnet(api, { vpcId, label: network.subnetName }, call)
      : undefined;
  const range = network?.nodeBalancerBackendIPv4Range;
  return {
    label,
    region,
    tags: withEpoch([identity.tag, ...ownerTags(identity.owner)], identity),
    ...(firewallId === undefined ? {} : { firewall_id: firewallId }),
    ...(subnet === undefined
      ? {}
      : { vpcs: [{ subnet_id: subnet.id, ...(range === undefined ? {} : { ipv4_range: range }) }] }),
  };
};

/** Every port to balance, the API server's first. */
export const balancedPorts = ({ spec }: LinodeCluster): readonly number[] => [
  ...new Set([apiPort(spec), ...(spec.network?.additionalPorts ?? []).map(({ port }) => port)]),
];

/** Returns the facts of the NodeBalancer, in the fields where upstream keeps them. */
export const balancerFacts = (
  object: LinodeCluster,
  balancer: NodeBalancer,
  configs: readonly NodeBalancerConfig[],
): ClusterFacts => {
  const port = apiPort(object.spec);
  const idOf = (wanted: number): number | undefined => configs.find((config) => config.port === wanted)?.id;
  const apiConfig = idOf(port);
  const additional = object.spec.network?.additionalPorts?.map((entry) => {
    const id = idOf(entry.port);
    return id === undefined ? entry : { ...entry, nodeBalancerConfigID: id };
  });
  return {
    handle: String(balancer.id),
    endpoint: { host: balancer.ipv4, port },
    spec: {
      network: {
        nodeBalancerID: balancer.id,
        ...(apiConfig === undefined ? {} : { apiserverNodeBalancerConfigID: apiConfig }),
        ...(additional === undefined ? {} : { additionalPorts: additional }),
      },
    },
  };
};

/** Opens the first port that is missing. */
export const openPort = async ({ object, api, handle, call }: StepContext): Promise<void> => {
  const balancerId = Number(handle);
  const open = await api.balancerConfigs(balancerId, call);
  const missing = balancedPorts(object).find((port) => open.every((config) => config.port !== port));
  if (missing === undefined) return;
  const config = { port: missing, protocol: "tcp", algorithm: "roundrobin", check: "connection" } as const;
  await api.createBalancerConfig(balancerId, config, call);
};

interface PortState {
  readonly config: NodeBalancerConfig;
  readonly changes: ReturnType<typeof backendChanges>;
  readonly unreachable: readonly string[];
}

/** Returns the missing and the surplus backends of every balanced port. */
export const portStates = async (
  { object, api, call, controlPlaneMachines }: ClusterContext,
  balancerId: number,
  configs: readonly NodeBalancerConfig[],
): Promise<readonly PortState[]> => {
  const states: PortState[] = [];
  for (const port of balancedPorts(object)) {
    const config = configs.find((entry) => entry.port === port);
    if (config === undefined) continue;
    const throughVpc = object.spec.network?.enableVPCBackends === true;
    const backends = wantedBackends(controlPlaneMachines, { port, throughVpc });
    const changes = backendChanges(backends, await api.backends(balancerId, config.id, call));
    states.push({ config, changes, unreachable: backends.unreachable });
  }
  return states;
};

/** Puts the control plane's machines behind every port, and removes what does not belong there. */
export const balance = async (context: StepContext): Promise<void> => {
  const { api, call } = context;
  const balancerId = Number(context.handle);
  const subnetId = await backendSubnet(context);
  const configs = await api.balancerConfigs(balancerId, call);
  for (const { config, changes } of await portStates(context, balancerId, configs)) {
    for (const { label, address } of changes.add) {
      const inVpc = subnetId !== undefined ? { subnet_id: subnetId } : {};
      await api.createBackend(balancerId, config.id, { label, address, mode: "accept", ...inVpc }, call);
    }
    for (const { id } of changes.remove) await api.deleteBackend(balancerId, config.id, id, call);
  }
};

const backendSubnet = async (context: ClusterContext): Promise<number | undefined> => {
  const { object, api, call } = context;
  const { network } = object.spec;
  const vpcId = vpcOf(context);
  if (network?.enableVPCBackends !== true || vpcId === undefined) return undefined;
  return (await findSubnet(api, { vpcId, label: network.subnetName }, call)).id;
};
