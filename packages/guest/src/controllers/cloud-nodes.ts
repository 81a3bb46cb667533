import type { CloudInstanceV1, ControllerV1 } from "@capstan/contract/v1";
import { keyOf } from "@capstan/kube-values";
import { controller, watch, watchMapped, type ReconcileContext, type Result } from "@capstan/runtime";
import { sameJson } from "@capstan/schema";
import { rfc3339 } from "@capstan/contract";
import { cloudTaint, readyOf } from "../kinds/node-conditions.ts";
import { Node, Pod, type NodeObject } from "../kinds/workload-kinds.ts";
import type { Clouds, RunningController } from "./clouds.ts";

/** As the real ones look at Nodes that are not ready (`--node-monitor-period`). */
const monitorMs = 5000;

const shutdownTaint = "node.cloudprovider.kubernetes.io/shutdown";

const nameOf = ({ metadata }: NodeObject): string => metadata.name ?? "";

/** Returns whether a Node may be this cloud's: nothing is known yet, or its provider id says so. */
const isOwn = ({ spec }: NodeObject, { cloud }: RunningController): boolean =>
  spec?.providerID === undefined || spec.providerID.startsWith(`${cloud.name}://`);

const instanceOf = (node: NodeObject, { cloud }: RunningController): CloudInstanceV1 | undefined =>
  cloud.instance({ name: nameOf(node), providerID: node.spec?.providerID });

const labelsOf = ({ labels, region, type, zone }: CloudInstanceV1): Readonly<Record<string, string>> => ({
  "beta.kubernetes.io/instance-type": type,
  "node.kubernetes.io/instance-type": type,
  "failure-domain.beta.kubernetes.io/region": region,
  "topology.kubernetes.io/region": region,
  ...(zone !== undefined && {
    "failure-domain.beta.kubernetes.io/zone": zone,
    "topology.kubernetes.io/zone": zone,
  }),
  ...labels,
});

const patchStatus = async (node: NodeObject, status: object, { client, signal }: ReconcileContext): Promise<void> => {
  await client.patch(
    Node,
    { name: nameOf(node) },
    { type: "merge", body: { status } },
    { subresource: "status", signal },
  );
};

/** Writes what the cloud knows of the Node, and in the end takes off the taint that says that no one has. */
const initialize = async (node: NodeObject, instance: CloudInstanceV1, context: ReconcileContext): Promise<void> => {
  const { client, events, signal } = context;
  if (!sameJson(node.status?.addresses ?? [], instance.addresses)) {
    await patchStatus(node, { addresses: instance.addresses }, context);
  }
  const { name, resourceVersion } = await client
    .get(Node, { name: nameOf(node) }, { signal })
    .then(({ metadata }) => ({ name: metadata.name ?? "", resourceVersion: metadata.resourceVersion }));
  const taints = (node.spec?.taints ?? []).filter(({ key }) => key !== cloudTaint.key);
  const body = {
    metadata: { resourceVersion, labels: labelsOf(instance) },
    spec: { providerID: node.spec?.providerID ?? instance.providerID, taints: taints.length === 0 ? null : taints },
  };
  await client.patch(Node, { name }, { type: "merge", body }, { signal });
  events.event(node, { type: "Normal", reason: "Synced", message: "Node synced successfully" });
};

const setShutdown = async (node: NodeObject, isOff: boolean, { client, clock, signal }: ReconcileContext) => {
  const { taints = [] } = node.spec ?? {};
  const isMarked = taints.some(({ key }) => key === shutdownTaint);
  if (isMarked === isOff) return;
  const others = taints.filter(({ key }) => key !== shutdownTaint);
  const mark = { key: shutdownTaint, effect: "NoSchedule", timeAdded: rfc3339(clock.now()) };
  const { resourceVersion } = node.metadata;
  const body = { metadata: { resourceVersion }, spec: { taints: isOff ? [...others, mark] : others } };
  await client.patch(Node, { name: nameOf(node) }, { type: "merge", body }, { signal });
};

/** A Node that is not ready, and whose instance is gone, is deleted; one whose instance is off takes no Pods. */
const monitor = async (
  node: NodeObject,
  keeper: RunningController,
  context: ReconcileContext,
): Promise<Result | void> => {
  if (readyOf(node) === "True") return setShutdown(node, false, context);
  const instance = instanceOf(node, keeper);
  if (instance !== undefined) {
    await setShutdown(node, instance.isOff, context);
    return { requeueAfterMs: monitorMs };
  }
  const { client, events, signal } = context;
  const message = `Deleting node ${nameOf(node)} because it does not exist in the cloud provider`;
  events.event(node, { type: "Normal", reason: "DeletingNode", message });
  await client.delete(Node, { name: nameOf(node) }, { preconditions: { uid: node.metadata.uid ?? "" }, signal });
  return undefined;
};

/**
 * Models the cloud's controllers of Nodes once they run in the cluster: a Node with the taint `uninitialized` gets its provider ID,
 * addresses and labels and loses the taint; a Node whose instance is gone is deleted.
 */
export const cloudNodes = (clouds: Clouds): ControllerV1 =>
  controller({
    name: "cloud-node",
    sources: [
      watch(Node),
      watchMapped(Pod, (pod, { cache }) => (clouds.controllersIn(pod).length === 0 ? [] : cache.list(Node).map(keyOf))),
    ],
    reconcile: async ({ name }, context): Promise<Result | void> => {
      const node = context.cache.get(Node, { name });
      if (node === undefined || node.metadata.deletionTimestamp !== undefined) return undefined;
      const running = clouds.running(context.cache).filter((each) => isOwn(node, each));
      const waits = (node.spec?.taints ?? []).some(({ key }) => key === cloudTaint.key);
      const initializer = running.find(
        ({ duties, node: place }) => duties.includes("nodes") || (duties.includes("own-node") && place === name),
      );
      if (waits && initializer !== undefined) {
        const instance = instanceOf(node, initializer);
        if (instance === undefined) return { requeueAfterMs: monitorMs };
        return initialize(node, instance, context);
      }
      const keeper = running.find(({ duties }) => duties.includes("lifecycle"));
      return keeper === undefined ? undefined : monitor(node, keeper, context);
    },
  });
