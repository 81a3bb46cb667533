import { SecretPurpose } from "@capstan/contract";
import type { ControlPlaneContext } from "@capstan/kit/control-plane";
import * as etcd from "@capstan/kit/control-plane";
import type { KubeadmControlPlane } from "../api.ts";
import { secrets } from "../config/cluster-secrets.ts";

export type Context = ControlPlaneContext<KubeadmControlPlane>;

/** Returns whether etcd runs on the Machines, and is ours to look after. */
export const hasOwnEtcd = ({ spec }: KubeadmControlPlane): boolean =>
  spec.kubeadmConfigSpec?.clusterConfiguration?.etcd?.external === undefined;

/** Ways that reconciles have found, by their signals, of which each has its own. */
const ways = new WeakMap<AbortSignal, Promise<etcd.EtcdWay>>();

const findWay = async (context: Context): Promise<etcd.EtcdWay> => {
  const { call, clock } = context;
  const consequence = "etcd is unreachable; no control-plane Machine is created, replaced or deleted";
  const authority = await secrets.signingAuthority(context, { purpose: SecretPurpose.etcd, consequence });
  return { authority, workload: await context.workload(), clock, signal: call.signal, unreachable: new Map() };
};

/** One reconcile goes one way, so that it waits for no unreachable member twice. */
const wayTo = async (context: Context): Promise<etcd.EtcdWay> => {
  const { signal } = context.call;
  const way = ways.get(signal) ?? findWay(context);
  ways.set(signal, way);
  return way;
};

/** Does something with the member on a Node. Throws at once when it could not be reached before in this reconcile. */
export const withMember = async <T>(
  context: Context,
  node: string,
  work: (client: etcd.EtcdClient) => Promise<T>,
): Promise<T> => etcd.withMember(await wayTo(context), node, work);

/** The same with the first of several Nodes whose member answers. Throws what the last one failed with. */
export const withAnyMember = async <T>(
  context: Context,
  nodes: readonly string[],
  work: (client: etcd.EtcdClient) => Promise<T>,
): Promise<T> => etcd.withAnyMember(await wayTo(context), nodes, work);

/** Returns the view of etcd that the first answering member has. */
export const viewOfEtcd = (context: Context, nodes: readonly string[]): Promise<etcd.EtcdView> =>
  withAnyMember(context, nodes, (client) => client.view());
