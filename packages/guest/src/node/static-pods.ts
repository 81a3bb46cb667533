import { rfc3339, type Clock } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import type { KubeObject } from "@capstan/schema";
import { etcdVersion } from "../etcd/etcd-cluster.ts";
import { Node, Pod } from "../kinds/workload-kinds.ts";
import type { NodeFacts } from "./kubelet.ts";
import { createOnce } from "../workload/create-once.ts";

const namespace = "kube-system";

type Component = "etcd" | "kube-apiserver" | "kube-controller-manager" | "kube-scheduler";

/** The components in the manifests folder of a control plane of kubeadm. */
export const kubeadmComponents = ({ externalEtcd }: { readonly externalEtcd: boolean }): readonly Component[] => [
  ...(externalEtcd ? [] : (["etcd"] as const)),
  "kube-apiserver",
  "kube-controller-manager",
  "kube-scheduler",
];

/** Name of the Pod of a component. */
export const staticPodOf = (component: Component, node: string): string => `${component}-${node}`;

const imageOf = (component: Component, { kubeletVersion }: NodeFacts): string =>
  `registry.k8s.io/${component}:${component === "etcd" ? `${etcdVersion}-0` : kubeletVersion}`;

const mirrorPod = (component: Component, node: KubeObject, facts: NodeFacts, now: number): KubeObject => {
  const { name = "", uid = "" } = node.metadata;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      namespace,
      name: staticPodOf(component, name),
      labels: { component, tier: "control-plane" },
      annotations: {
        "kubernetes.io/config.hash": facts.machineID,
        "kubernetes.io/config.mirror": facts.machineID,
        "kubernetes.io/config.seen": rfc3339(now),
        "kubernetes.io/config.source": "file",
      },
      ownerReferences: [{ apiVersion: "v1", kind: "Node", name, uid, controller: true }],
    },
    spec: {
      nodeName: name,
      hostNetwork: true,
      // Nothing runs it that could end in a grace.
      terminationGracePeriodSeconds: 0,
      priorityClassName: "system-node-critical",
      tolerations: [{ operator: "Exists", effect: "NoExecute" }],
      containers: [{ name: component, image: imageOf(component, facts) }],
    },
  };
};

interface StatusOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Merges into the status of a static Pod what its kubelet sees. */
const report = async (
  client: Client,
  name: string,
  { clock, signal }: StatusOptions,
  seen: { readonly ready: boolean; readonly state: (time: string) => object; readonly place?: object | undefined },
): Promise<void> => {
  const key = { namespace, name };
  const { spec } = await client.get(Pod, key, { signal });
  const { name: container, image } = spec.containers[0]!;
  const time = rfc3339(clock.now());
  const condition = (type: string, isTrue: boolean) => ({
    type,
    status: isTrue ? "True" : "False",
    lastTransitionTime: time,
  });
  const status = {
    ...seen.place,
    phase: "Running",
    conditions: [
      condition("PodScheduled", true),
      condition("Initialized", true),
      condition("ContainersReady", seen.ready),
      condition("Ready", seen.ready),
    ],
    containerStatuses: [
      { name: container, image, imageID: image, ready: seen.ready, restartCount: 0, ...seen.state(time) },
    ],
  };
  await client.patch(Pod, key, { type: "merge", body: { status } }, { subresource: "status", signal });
};

/** A static Pod runs and is ready. `place`: where it runs, once. */
export const reportRunning = (
  client: Client,
  name: string,
  options: StatusOptions & { readonly place?: object },
): Promise<void> =>
  report(client, name, options, {
    ready: true,
    place: options.place,
    state: (startedAt) => ({ started: true, state: { running: { startedAt } } }),
  });

/** The container of a static Pod has ended, and again whenever it was started. */
export const reportCrash = (client: Client, name: string, options: StatusOptions): Promise<void> =>
  report(client, name, options, {
    ready: false,
    state: (finishedAt) => ({
      started: false,
      state: { waiting: { reason: "CrashLoopBackOff", message: "back-off restarting failed container" } },
      lastState: { terminated: { exitCode: 1, reason: "Error", finishedAt } },
    }),
  });

/**
 * Shows the static Pods of a control-plane machine, as its kubelet mirrors them: they run, and go with the Node. `client` has the
 * rights of an administrator.
 */
export const reportStaticPods = async (
  client: Client,
  facts: NodeFacts,
  options: StatusOptions & { readonly components: readonly Component[] },
): Promise<void> => {
  const { clock, signal } = options;
  const node = await client.get(Node, { name: facts.registration.name }, { signal });
  for (const component of options.components) {
    const pod = mirrorPod(component, node, facts, clock.now());
    const { name = "" } = pod.metadata;
    await createOnce(client, Pod, pod, signal);
    const place = { hostIP: facts.address, podIP: facts.address, startTime: rfc3339(clock.now()) };
    await reportRunning(client, name, { clock, signal, place });
  }
};
