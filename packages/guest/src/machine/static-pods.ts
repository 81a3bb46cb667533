import { isCapstanError, rfc3339, type Clock } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import { resource, type KubeObject } from "@capstan/schema";
import { Node, type NodeFacts } from "./kubelet.ts";

const Pod = resource({ group: "", version: "v1", kind: "Pod", plural: "pods" });
const namespace = "kube-system";

/** Of what kubeadm writes into the manifests folder of a control plane, all but etcd, which is not modelled. */
const components = ["kube-apiserver", "kube-controller-manager", "kube-scheduler"] as const;

const mirrorPod = (component: string, node: KubeObject, facts: NodeFacts, now: number): KubeObject => {
  const { name = "", uid = "" } = node.metadata;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      namespace,
      name: `${component}-${name}`,
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
      // No kubelet is left to end it when its Node goes, and there is no pod garbage collector.
      terminationGracePeriodSeconds: 0,
      priorityClassName: "system-node-critical",
      tolerations: [{ operator: "Exists", effect: "NoExecute" }],
      containers: [{ name: component, image: `registry.k8s.io/${component}:${facts.kubeletVersion}` }],
    },
  };
};

const running = ({ spec }: KubeObject, facts: NodeFacts, now: number): Record<string, unknown> => {
  const time = rfc3339(now);
  const [{ name, image }] = (spec as { readonly containers: [{ readonly name: string; readonly image: string }] })
    .containers;
  return {
    phase: "Running",
    hostIP: facts.address,
    podIP: facts.address,
    startTime: time,
    conditions: ["PodScheduled", "Initialized", "ContainersReady", "Ready"].map((type) => ({
      type,
      status: "True",
      lastTransitionTime: time,
    })),
    containerStatuses: [
      {
        name,
        image,
        imageID: image,
        ready: true,
        started: true,
        restartCount: 0,
        state: { running: { startedAt: time } },
      },
    ],
  };
};

/**
 * Shows the static Pods of a control-plane machine, as its kubelet mirrors them: they run, and go with the Node. `client` has the
 * rights of an administrator.
 */
export const reportStaticPods = async (
  client: Client,
  facts: NodeFacts,
  options: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> => {
  const { clock, signal } = options;
  const node = await client.get<KubeObject>(Node, { name: facts.registration.name }, { signal });
  for (const component of components) {
    const pod = mirrorPod(component, node, facts, clock.now());
    const key = { namespace, name: pod.metadata.name ?? "" };
    try {
      await client.create(Pod, pod, { signal });
    } catch (error) {
      if (!isCapstanError(error, "kube.already_exists")) throw error;
    }
    const body = { status: running(pod, facts, clock.now()) };
    await client.patch(Pod, key, { type: "merge", body }, { subresource: "status", signal });
  }
};
