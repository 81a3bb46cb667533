import type { ControlPlaneSecrets } from "@capstan/kit/bootstrap";
import type { ControlPlaneContext } from "@capstan/kit/control-plane";
import type { KubeObject } from "@capstan/schema";
import { type ControlPlaneDistribution, hasKnownAuthority, hasOwnEtcd } from "../distribution/distribution.ts";
import { lookAtEtcd, type SeenEtcd } from "../workload/etcd.ts";
import { readServers, type Servers } from "../workload/servers.ts";

/** One kind of control planes, as its controller knows it. */
export interface Kept<O extends KubeObject> {
  readonly of: ControlPlaneDistribution<O>;
  readonly secrets: ControlPlaneSecrets<O>;
}

/** The servers of a cluster and their etcd. */
export interface SeenCluster extends SeenEtcd {
  readonly servers: Servers;
}

/** The clusters that reconciles have seen, by their signals, of which each has its own. */
const looks = new WeakMap<AbortSignal, Promise<SeenCluster>>();

const look = async <O extends KubeObject>(
  { of, secrets }: Kept<O>,
  context: ControlPlaneContext<O>,
): Promise<SeenCluster> => {
  const { object } = context;
  const servers = await readServers(context, of.distribution);
  const isAsked = hasOwnEtcd(of, object) && hasKnownAuthority(of, object);
  const seen = isAsked ? await lookAtEtcd(context, servers, secrets) : { etcd: undefined, path: undefined };
  return { servers, ...seen };
};

/** Looks at the cluster once in a reconcile, for all callers, and again after something was changed there. */
export const lookAtCluster = <O extends KubeObject>(
  kept: Kept<O>,
  context: ControlPlaneContext<O>,
): Promise<SeenCluster> => {
  const { signal } = context.call;
  const seen = looks.get(signal) ?? look(kept, context);
  looks.set(signal, seen);
  return seen;
};

/** Something was changed in the cluster: the next look is a new one. */
export const lookAfresh = ({ call: { signal } }: Pick<ControlPlaneContext<KubeObject>, "call">): void => {
  looks.delete(signal);
};
