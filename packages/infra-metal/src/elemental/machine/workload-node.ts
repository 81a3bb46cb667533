import { Label } from "@capstan/contract";
import { NodeResource } from "@capstan/contract/wire";
import type { AttachedUse, Use, UsePlace } from "@capstan/kit/engine";
import {
  type WorkloadAccount,
  workloadClusters,
  type WorkloadClusters,
  type WorkloadEvent,
  workloadPermission,
} from "@capstan/kit/workload";
import { keyOf, keyText } from "@capstan/kube-values";
import type { Environment, RequestSink, Source } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import type { ElementalMachine } from "../api/elemental-machine.v1beta1.ts";

/** Put on by a kubelet that waits for whoever knows its provider id. */
const uninitialized = "node.cloudprovider.kubernetes.io/uninitialized";

interface Taint {
  readonly key?: string;
}

/** A Node, as far as it matters here. */
interface NodeObject extends KubeObject {
  readonly spec?: { readonly providerID?: string; readonly taints?: readonly Taint[] };
  readonly status?: { readonly addresses?: readonly { readonly type?: string; readonly address?: string }[] };
}

/** The Node of a host in the workload cluster. */
export interface WorkloadNode {
  /** `undefined`: the workload cluster does not answer. `missing`: it has no such Node. */
  find(name: string): NodeObject | "missing" | undefined;
  /** Gives it its provider id, and takes off the taint by which it waited for it. */
  initialize(node: NodeObject, providerID: string): Promise<void>;
}

/** Returns whether there is nothing left to do about a Node. */
export const isInitialized = ({ spec = {} }: NodeObject, providerID: string): boolean =>
  spec.providerID === providerID && (spec.taints ?? []).every(({ key }) => key !== uninitialized);

/** As whom Nodes of hosts are given their provider ids. */
const account: WorkloadAccount = { name: "infra-metal", permissions: [workloadPermission(NodeResource, ["patch"])] };

const clustersOf = (environment: Environment): WorkloadClusters | undefined =>
  environment.findService(workloadClusters)?.as(account);

const index = "elemental/node";

/** By the cluster, and by the host in it. */
const placesOf = (object: KubeObject): readonly string[] => {
  const { labels = {}, namespace = "" } = object.metadata;
  const { [Label.clusterName]: name } = labels;
  if (name === undefined) return [];
  const cluster = keyText({ namespace, name });
  const host = (object as ElementalMachine).spec?.hostRef?.name;
  return host === undefined ? [cluster] : [cluster, `${cluster}/${host}`];
};

const json = (value: unknown): string => JSON.stringify(value) ?? "";

/** Heartbeats are no news. */
const isNews = (event: Extract<WorkloadEvent, { readonly type: "node" }>["event"]): boolean => {
  if (event.type !== "updated") return event.type === "added";
  const [before, after] = [event.previous, event.object] as [NodeObject, NodeObject];
  return json(before.spec) !== json(after.spec) || json(before.status?.addresses) !== json(after.status?.addresses);
};

/** Wakes machines whose Node shows up or changes. */
class NodeSource implements Source {
  readonly #kind: Resource;

  constructor(kind: Resource) {
    this.#kind = kind;
  }

  start(queue: RequestSink, environment: Environment, { signal }: { readonly signal: AbortSignal }): void {
    const stop = clustersOf(environment)?.subscribe((event) => {
      const cluster = keyText(event.cluster);
      const place =
        event.type === "connected"
          ? cluster
          : event.type === "node" && isNews(event.event)
            ? `${cluster}/${event.event.object.metadata.name}`
            : undefined;
      if (place === undefined) return;
      for (const machine of environment.cache.byIndex(this.#kind, index, place)) queue.add(keyOf(machine));
    });
    if (stop !== undefined) signal.addEventListener("abort", stop, { once: true });
  }
}

const open = ({ environment, identity }: UsePlace): WorkloadNode => {
  const connection = () =>
    clustersOf(environment)?.connection({ namespace: identity.namespace, name: identity.clusterName });
  return {
    find: (name) => {
      const cluster = connection();
      if (cluster === undefined) return undefined;
      return cluster.nodes.get({ name }) ?? "missing";
    },
    initialize: async (node, providerID) => {
      const { name = "", resourceVersion } = node.metadata;
      const taints = (node.spec?.taints ?? []).filter(({ key }) => key !== uninitialized);
      const body = { metadata: { resourceVersion }, spec: { providerID, taints } };
      await connection()?.client.patch(NodeResource, { name }, { type: "merge", body }, { signal: environment.signal });
    },
  };
};

/** The Node in the workload cluster, whose provider id on hosts of one's own no one else knows. */
export const workloadNode = (): Use<WorkloadNode> => ({
  permissions: [],
  attach: (kind): AttachedUse<WorkloadNode> => ({
    sources: [new NodeSource(kind)],
    prepare: (cache) => cache.informer(kind).addIndex(index, placesOf),
    open,
  }),
});
