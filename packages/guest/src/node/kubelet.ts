import { isCapstanError, rfc3339, type Clock } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import type { KubeObject } from "@capstan/schema";
import { healthyConditions, notReadyTaint } from "../kinds/node-conditions.ts";
import { Node } from "../kinds/workload-kinds.ts";
import type { MachineContext } from "./machine-context.ts";
import type { NodeRegistration } from "./node-registration.ts";

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
      taints: [
        ...facts.registration.taints,
        ...(external(facts) ? [cloudTaint] : []),
        { key: notReadyTaint, effect: "NoSchedule" },
      ],
    },
  };
};

const nodeStatus = (facts: NodeFacts, now: number): object => {
  return {
    addresses: [
      { type: "InternalIP", address: facts.address },
      { type: "Hostname", address: facts.hostname },
    ],
    capacity: { cpu: "2", memory: "4026532Ki", pods: "110" },
    allocatable: { cpu: "2", memory: "3924132Ki", pods: "110" },
    conditions: healthyConditions(rfc3339(now)),
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

/** Registers the Node, or takes over one of the same name, and reports it Ready. Nothing is put on it before others have seen that. */
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

/** The kubelet runs from now on, until the machine is switched off or reset. */
export const startKubelet = (machine: MachineContext, authority: string, { registration }: NodeFacts): void => {
  machine.stopKubelet?.();
  const { address } = machine.request;
  const stop = machine.workloads.kubelets(authority).start({ node: registration.name, address });
  machine.signal.addEventListener("abort", stop, { once: true });
  machine.stopKubelet = stop;
};

/** The part of a cloud controller manager that matters here: writes the providerID and takes the cloud taint off. */
export const initializeNode = async (
  client: Client,
  name: string,
  facts: { readonly providerID: string; readonly signal: AbortSignal },
): Promise<void> => {
  const { providerID, signal } = facts;
  for (;;) {
    const { metadata, spec = {} } = await client.get(Node, { name }, { signal });
    const taints = (spec.taints ?? []).filter(({ key }) => key !== cloudTaint.key);
    if (spec.providerID !== undefined && taints.length === (spec.taints ?? []).length) return;
    const body = {
      metadata: { resourceVersion: metadata.resourceVersion },
      spec: { providerID: spec.providerID ?? providerID, taints },
    };
    try {
      await client.patch(Node, { name }, { type: "merge", body }, { signal });
      return;
    } catch (error) {
      // Others write taints as well.
      if (!isCapstanError(error, "kube.conflict")) throw error;
    }
  }
};

export const usesCloudController = external;
