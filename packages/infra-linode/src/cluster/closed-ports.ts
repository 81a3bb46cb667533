import { valueAt } from "@capstan/contract/wire";
import type { NodeBalancer, NodeBalancerConfig } from "@capstan/linode-client";
import type { ClusterContext, StepContext } from "./node-balancer.ts";
import { balancedPorts, isMade } from "./node-balancer.ts";

/**
 * Annotation of a LinodeCluster with the ids of the configurations that its `additionalPorts` have at the NodeBalancer: a port that is
 * taken out of the spec takes its id along.
 */
export const portsAnnotation = "capstan.dev/additional-port-configs";

type Place = Pick<ClusterContext, "object">;

const recordedIds = ({ object: { metadata } }: Place): readonly number[] =>
  (metadata.annotations?.[portsAnnotation] ?? "").split(",").map(Number);

/** Those that were opened for ports that the spec no longer names. The endpoint's stays whatever it says. */
const surplusConfigs = (
  context: ClusterContext,
  balancer: NodeBalancer,
  configs: readonly NodeBalancerConfig[],
): readonly NodeBalancerConfig[] => {
  if (!isMade(balancer, context)) return [];
  const { cluster, object } = context;
  const endpoints = [object, cluster].map((each) => valueAt(each, "spec.controlPlaneEndpoint.port"));
  const kept: readonly unknown[] = [...balancedPorts(object), ...endpoints];
  const recorded = recordedIds(context);
  return configs.filter(({ id, port }) => recorded.includes(id) && !kept.includes(port));
};

/**
 * Returns the configurations for additional ports of a NodeBalancer that was made for the cluster, including ports that
 * are no longer wanted.
 */
export const additionalConfigs = (
  context: ClusterContext,
  balancer: NodeBalancer,
  configs: readonly NodeBalancerConfig[],
): {
  readonly annotations?: Readonly<Record<string, string | null>>;
  readonly surplus: readonly NodeBalancerConfig[];
} => {
  const surplus = surplusConfigs(context, balancer, configs);
  const { metadata, spec } = context.object;
  const wanted = (spec.network?.additionalPorts ?? []).map(({ port }) => port);
  const open = isMade(balancer, context) ? configs.filter(({ port }) => wanted.includes(port)) : [];
  const ids = [...open, ...surplus].map(({ id }) => id).join(",");
  if (ids === (metadata.annotations?.[portsAnnotation] ?? "")) return { surplus };
  return { surplus, annotations: { [portsAnnotation]: ids === "" ? null : ids } };
};

/** Closes the ports that are none any more. */
export const closePorts = async (context: StepContext): Promise<void> => {
  const { api, call, handle } = context;
  const balancer = await api.getBalancer(Number(handle), call);
  if (balancer === undefined) return;
  const configs = await api.balancerConfigs(balancer.id, call);
  for (const { id } of surplusConfigs(context, balancer, configs)) {
    await api.deleteBalancerConfig(balancer.id, id, call);
  }
};
