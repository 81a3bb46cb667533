import type { BalancedServiceV1, ControllerV1, StartingContainerV1 } from "@capstan/contract/v1";
import { keyOf } from "@capstan/kube-values";
import { controller, watch, watchMapped, type Environment, type ReconcileContext, type Result } from "@capstan/runtime";
import { sameJson } from "@capstan/schema";
import { Node, Pod, Service, type NodeObject, type ServiceObject } from "../kinds/workload-kinds.ts";
import type { Clouds, RunningController } from "./clouds.ts";
import type { Kubelets } from "./kubelets.ts";
import { containerOn } from "./start-pod.ts";

const finalizer = "service.kubernetes.io/load-balancer-cleanup";
const excludedLabel = "node.kubernetes.io/exclude-from-external-load-balancers";
const removalTaint = "ToBeDeletedByClusterAutoscaler";

/** After a failure. */
const retryMs = 5000;

const isBalanced = ({ metadata, spec }: ServiceObject): boolean =>
  spec.type === "LoadBalancer" && spec.loadBalancerClass === undefined && metadata.deletionTimestamp === undefined;

const hasFinalizer = ({ metadata }: ServiceObject): boolean => metadata.finalizers?.includes(finalizer) === true;

/** As the real service controller chooses Nodes for load balancers. */
const isBehind = ({ metadata, spec }: NodeObject, { cloud }: RunningController): boolean =>
  metadata.labels?.[excludedLabel] === undefined &&
  metadata.deletionTimestamp === undefined &&
  spec?.providerID?.startsWith(`${cloud.name}://`) === true &&
  !(spec.taints ?? []).some(({ key }) => key === removalTaint);

const nodesOf = (running: RunningController, { cache }: ReconcileContext): BalancedServiceV1["nodes"] =>
  cache
    .list(Node)
    .filter((node) => isBehind(node, running))
    .map(({ metadata, spec, status }) => ({
      name: metadata.name ?? "",
      providerID: spec?.providerID ?? "",
      addresses: status?.addresses ?? [],
    }))
    .toSorted((one, other) => one.name.localeCompare(other.name));

const describe = (
  { metadata, spec }: ServiceObject,
  running: RunningController,
  nodes: BalancedServiceV1["nodes"],
): BalancedServiceV1 => ({
  uid: metadata.uid ?? "",
  namespace: metadata.namespace ?? "",
  name: metadata.name ?? "",
  cluster: running.cluster,
  annotations: metadata.annotations ?? {},
  ports: (spec.ports ?? []).map(({ name = "", nodePort = 0, port, protocol = "TCP" }) => ({
    name,
    protocol,
    port,
    nodePort,
  })),
  healthCheckNodePort: spec.healthCheckNodePort === 0 ? undefined : spec.healthCheckNodePort,
  nodes,
});

const setFinalizers = async (
  { metadata }: ServiceObject,
  finalizers: readonly string[],
  { client, signal }: ReconcileContext,
): Promise<void> => {
  const { name = "", namespace = "", resourceVersion } = metadata;
  const body = { metadata: { resourceVersion, finalizers } };
  await client.patch(Service, { namespace, name }, { type: "merge", body }, { signal });
};

const setIngress = async (
  service: ServiceObject,
  ingress: readonly object[],
  { client, signal }: ReconcileContext,
): Promise<void> => {
  if (sameJson(service.status?.loadBalancer?.ingress ?? [], ingress)) return;
  const body = { status: { loadBalancer: ingress.length === 0 ? null : { ingress } } };
  await client.patch(Service, keyOf(service), { type: "merge", body }, { subresource: "status", signal });
};

/** Services as last applied to their load balancers, by UID. */
type Made = Map<string, BalancedServiceV1>;

interface Work {
  readonly running: RunningController;
  readonly container: StartingContainerV1;
  readonly made: Made;
}

const ensure = async (service: ServiceObject, { container, made, running }: Work, context: ReconcileContext) => {
  if (!hasFinalizer(service)) {
    return setFinalizers(service, [...(service.metadata.finalizers ?? []), finalizer], context);
  }
  const wanted = describe(service, running, nodesOf(running, context));
  const before = made.get(wanted.uid);
  if (before !== undefined && sameJson(before, wanted)) return undefined;
  const say = (reason: string, message: string): void =>
    context.events.event(service, { type: "Normal", reason, message });
  if (before === undefined) say("EnsuringLoadBalancer", "Ensuring load balancer");
  const ingress = await running.cloud.balance(wanted, container);
  await setIngress(service, ingress, context);
  made.set(wanted.uid, wanted);
  if (before === undefined) say("EnsuredLoadBalancer", "Ensured load balancer");
  else if (!sameJson(before.nodes, wanted.nodes)) {
    say("UpdatedLoadBalancer", "Updated load balancer with new hosts");
  }
  return undefined;
};

const remove = async (service: ServiceObject, { container, made, running }: Work, context: ReconcileContext) => {
  const { healthCheckNodePort: _port, nodes: _nodes, ...gone } = describe(service, running, []);
  const { uid } = gone;
  await running.cloud.unbalance(gone, container);
  made.delete(uid);
  if (service.metadata.deletionTimestamp === undefined) await setIngress(service, [], context);
  const others = (service.metadata.finalizers ?? []).filter((each) => each !== finalizer);
  await setFinalizers(service, others, context);
  context.events.event(service, { type: "Normal", reason: "DeletedLoadBalancer", message: "Deleted load balancer" });
};

const balancedServices = ({ cache }: Environment) => cache.list(Service).filter(isBalanced).map(keyOf);

/** Models the cloud's controller of Services of type LoadBalancer once it runs in the cluster. */
export const cloudServices = (clouds: Clouds, kubelets: Kubelets): ControllerV1 => {
  const made: Made = new Map();
  return controller({
    name: "cloud-service",
    sources: [
      watch(Service),
      watchMapped(Node, (_node, environment) => balancedServices(environment)),
      watchMapped(Pod, (pod, { cache }) =>
        clouds.controllersIn(pod).length === 0 ? [] : cache.list(Service).map(keyOf),
      ),
    ],
    reconcile: async (request, context): Promise<Result | void> => {
      const service = context.cache.get(Service, request);
      if (service === undefined) return undefined;
      if (!isBalanced(service) && !hasFinalizer(service)) return undefined;
      const running = clouds.running(context.cache).find(({ duties }) => duties.includes("services"));
      const kubelet = kubelets.get(running?.node ?? "");
      if (running === undefined || kubelet === undefined) return undefined;
      try {
        const container = await containerOn(kubelet, running, context);
        if ("missing" in container) throw new Error(container.missing);
        await (isBalanced(service) ? ensure : remove)(service, { running, container, made }, context);
      } catch (error) {
        if (context.signal.aborted) throw error;
        const message = `Error syncing load balancer: ${(error as Error).message}`;
        context.events.event(service, { type: "Warning", reason: "SyncLoadBalancerFailed", message });
        return { requeueAfterMs: retryMs };
      }
      return undefined;
    },
  });
};
