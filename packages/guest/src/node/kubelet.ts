import { isCapstanError, rfc3339, type Clock } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import { resource, type KubeObject } from "@capstan/schema";
import type { NodeRegistration } from "./node-registration.ts";

export const Node = resource({ group: "", version: "v1", kind: "Node", plural: "nodes", namespaced: false });

/** Put on by a kubelet that waits for the cloud's controller, taken off by that controller. */
const cloudTaint = {
  key: "node.cloudprovider.kubernetes.io/uninitialized",
  value: "true",
  effect: "NoSchedule",
} as const;

export interface NodeFacts {
  readonly registration: NodeRegistration;
  readonly address: string;
  readonly hostname: string;
  readonly controlPlane: boolean;
  /** With the `v`, for example `v1.34.0`. */
  readonly kubeletVersion: string;
  readonly machineID: string;
}

const labels = (facts: NodeFacts): Readonly<Record<string, string>> => ({
  "beta.kubernetes.io/arch": "amd64",
  "beta.kubernetes.io/os": "linux",
  "kubernetes.io/arch": "amd64",
  "kubernetes.io/os": "linux",
  "kubernetes.io/hostname": facts.registration.name,
  ...Object.fromEntries(
    (facts.registration.kubeletArgs["node-labels"] ?? "")
      .split(",")
      .filter((label) => label !== "")
      .map((label) => [label.split("=", 1)[0] ?? label, label.slice(label.indexOf("=") + 1)]),
  ),
});

const controlPlaneLabels = {
  "node-role.kubernetes.io/control-plane": "",
  "node.kubernetes.io/exclude-from-external-load-balancers": "",
} as const;

const external = (facts: NodeFacts): boolean => facts.registration.kubeletArgs["cloud-provider"] === "external";

const nodeObject = (facts: NodeFacts): KubeObject => {
  const providerID = facts.registration.kubeletArgs["provider-id"];
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: facts.registration.name, labels: labels(facts) },
    spec: {
      ...(providerID === undefined ? {} : { providerID }),
      taints: [...facts.registration.taints, ...(external(facts) ? [cloudTaint] : [])],
    },
  };
};

const nodeStatus = (facts: NodeFacts, now: number): object => {
  const time = rfc3339(now);
  const healthy = (type: string, reason: string, message: string) => ({
    type,
    status: type === "Ready" ? "True" : "False",
    reason,
    message,
    lastHeartbeatTime: time,
    lastTransitionTime: time,
  });
  return {
    addresses: [
      { type: "InternalIP", address: facts.address },
      { type: "Hostname", address: facts.hostname },
    ],
    capacity: { cpu: "2", memory: "4026532Ki", pods: "110" },
    allocatable: { cpu: "2", memory: "3924132Ki", pods: "110" },
    conditions: [
      healthy("MemoryPressure", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
      healthy("DiskPressure", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
      healthy("PIDPressure", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
      healthy("Ready", "KubeletReady", "kubelet is posting ready status"),
    ],
    nodeInfo: {
      machineID: facts.machineID,
      systemUUID: facts.machineID,
      bootID: facts.machineID,
      kernelVersion: "6.1.0-guest",
      osImage: "Capstan guest model",
      containerRuntimeVersion: "containerd://1.7.0",
      kubeletVersion: facts.kubeletVersion,
      kubeProxyVersion: facts.kubeletVersion,
      operatingSystem: "linux",
      architecture: "amd64",
    },
  };
};

/** Registers the Node, or takes over one of the same name, and reports it Ready. */
export const registerNode = async (
  client: Client,
  facts: NodeFacts,
  options: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> => {
  const { signal } = options;
  try {
    await client.create(Node, nodeObject(facts), { signal });
  } catch (error) {
    if (!isCapstanError(error, "kube.already_exists")) throw error;
  }
  const body = { status: nodeStatus(facts, options.clock.now()) };
  await client.patch(
    Node,
    { name: facts.registration.name },
    { type: "merge", body: body },
    { subresource: "status", signal },
  );
};

/** Gives a Node labels that its kubelet may not give itself. */
export const labelNode = async (
  client: Client,
  name: string,
  { labels, signal }: { readonly labels: Readonly<Record<string, string>>; readonly signal: AbortSignal },
): Promise<void> => {
  await client.patch(Node, { name }, { type: "merge", body: { metadata: { labels } } }, { signal });
};

/** Labels the Node of a control plane machine, as kubeadm does. */
export const markControlPlane = (client: Client, name: string, signal: AbortSignal): Promise<void> =>
  labelNode(client, name, { labels: controlPlaneLabels, signal });

/** The part of a cloud controller manager that matters here: writes the providerID and takes the cloud taint off. */
export const initializeNode = async (
  client: Client,
  name: string,
  facts: { readonly providerID: string; readonly signal: AbortSignal },
): Promise<void> => {
  const node = await client.get(Node, { name }, { signal: facts.signal });
  const spec = (node["spec"] ?? {}) as {
    readonly providerID?: string;
    readonly taints?: readonly { readonly key: string }[];
  };
  const taints = (spec.taints ?? []).filter(({ key }) => key !== cloudTaint.key);
  if (spec.providerID !== undefined && taints.length === (spec.taints ?? []).length) return;
  const body = {
    metadata: { resourceVersion: node.metadata.resourceVersion },
    spec: { providerID: spec.providerID ?? facts.providerID, taints },
  };
  await client.patch(Node, { name }, { type: "merge", body }, { signal: facts.signal });
};

export const usesCloudController = external;
