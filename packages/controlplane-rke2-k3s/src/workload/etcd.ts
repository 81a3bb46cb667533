import { isCapstanError, SecretPurpose } from "@capstan/contract";
import type { ControlPlaneSecrets } from "@capstan/kit/bootstrap";
import type { ControlPlaneContext } from "@capstan/kit/control-plane";
import {
  type EtcdClient,
  etcdPods,
  type EtcdMember,
  type EtcdView,
  type EtcdWay,
  withAnyMember,
  withMember,
} from "@capstan/kit/control-plane";
import type { KubeObject } from "@capstan/schema";
import { isReady, type Server, type Servers } from "./servers.ts";

/** All members, as one of them reports them. */
export interface EtcdOfServers extends EtcdView {
  /** Ready Nodes whose own member does not work, with the reason. */
  readonly silent: ReadonlyMap<string, string>;
}

/** All members, or why they cannot be asked; `undefined` where no Pod leads to one: then their Nodes speak for them. */
export type Etcd = EtcdOfServers | { readonly failed: string } | undefined;

/** The way to the members of a cluster, and the Nodes that have a Pod which leads there. */
export interface EtcdPath {
  readonly way: EtcdWay;
  /** Ready ones first. */
  readonly nodes: readonly string[];
}

const findPath = async <O extends KubeObject>(
  context: ControlPlaneContext<O>,
  servers: Servers,
  secrets: ControlPlaneSecrets<O>,
): Promise<EtcdPath | undefined> => {
  const workload = await context.workload();
  const pods = await etcdPods(workload, context.call);
  const nodes = [...servers]
    .filter(([name]) => pods.has(name))
    .toSorted(([, left], [, right]) => Number(isReady(right)) - Number(isReady(left)))
    .map(([name]) => name);
  if (nodes.length === 0) return undefined;
  const consequence = "etcd cannot be asked, so that no server is made, replaced or deleted";
  const authority = await secrets.signingAuthority(context, { purpose: SecretPurpose.etcd, consequence });
  const { clock, call } = context;
  const podOn = (node: string): string => pods.get(node) ?? "";
  return { way: { workload, authority, clock, signal: call.signal, podOn, unreachable: new Map() }, nodes };
};

/** The etcd of a cluster as it was just seen, and the way to it. */
export interface SeenEtcd {
  readonly etcd: Etcd;
  readonly path: EtcdPath | undefined;
}

/** Why the member on a Node does not work; `undefined` when it answers and is one of the majority. */
const whySilent = async (way: EtcdWay, node: string): Promise<string | undefined> => {
  try {
    const { leader } = await withMember(way, node, (client) => client.status());
    return leader === 0n ? "it knows no leader" : undefined;
  } catch (error) {
    if (!isCapstanError(error)) throw error;
    return error.message;
  }
};

/** A Node is ready as long as its kubelet works, which says nothing about etcd: so each member is asked for itself. */
const silentMembers = async ({ nodes, way }: EtcdPath, servers: Servers): Promise<ReadonlyMap<string, string>> => {
  const ready = nodes.filter((node) => isReady(servers.get(node)));
  const reasons = await Promise.all(ready.map(async (node) => [node, await whySilent(way, node)] as const));
  return new Map(reasons.flatMap(([node, reason]) => (reason === undefined ? [] : [[node, reason]])));
};

/** Finds the Pods that lead to members, asks the first member that answers for the list, and each member for its own state. */
export const lookAtEtcd = async <O extends KubeObject>(
  context: ControlPlaneContext<O>,
  servers: Servers,
  secrets: ControlPlaneSecrets<O>,
): Promise<SeenEtcd> => {
  let path: EtcdPath | undefined;
  try {
    path = await findPath(context, servers, secrets);
    if (path === undefined) return { etcd: undefined, path };
    const view = await withAnyMember(path.way, path.nodes, (client) => client.view());
    return { etcd: { ...view, silent: await silentMembers(path, servers) }, path };
  } catch (error) {
    if (!isCapstanError(error)) throw error;
    return { etcd: { failed: error.message }, path };
  }
};

/** The member of a server. */
export const memberOf = ({ members }: EtcdView, server: Server | undefined): EtcdMember | undefined =>
  server?.member === undefined ? undefined : members.find(({ name }) => name === server.member?.name);

/** Ids of the members whose servers are ready, and that answer where they can be asked. */
export const healthyMembers = (etcd: EtcdOfServers, servers: Servers): ReadonlySet<bigint> =>
  new Set(
    [...servers].flatMap(([node, server]) =>
      isReady(server) && !etcd.silent.has(node) ? (memberOf(etcd, server)?.id ?? []) : [],
    ),
  );

/** The view with the names of Nodes in the place of those of their members, for people. */
export const withNodeNames = (view: EtcdView, servers: Servers): EtcdView => {
  const nodes = new Map([...servers].map(([node, server]) => [server.member?.name, node]));
  return {
    ...view,
    members: view.members.map((member) => ({ ...member, name: nodes.get(member.name) ?? member.name })),
  };
};

/** Asks the leader on a Node to hand over to the first of several members that takes it; throws the failure of the last one. */
export const handOver = async ({ way }: EtcdPath, node: string, heirs: readonly EtcdMember[]): Promise<void> =>
  withMember(way, node, async (client: EtcdClient) => {
    let failure: unknown;
    for (const { id } of heirs) {
      try {
        return await client.moveLeader(id);
      } catch (error) {
        if (!isCapstanError(error)) throw error;
        failure = error;
      }
    }
    if (failure !== undefined) throw failure;
  });
