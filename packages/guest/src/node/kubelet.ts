import { isCapstanError, rfc3339 } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import type { KubeObject } from "@capstan/schema";
import { cloudTaint, heardConditions, notReadyTaint } from "../kinds/node-conditions.ts";
import { Node } from "../kinds/workload-kinds.ts";
import { type MachineNetwork, machineNetwork, networkNotReady } from "../network/network-plugin.ts";
import { passage } from "../network/passage.ts";
import type { MachineContext } from "./machine-context.ts";
import { mirrorFiles } from "./mirror-files.ts";
import type { NodeRegistration } from "./node-registration.ts";
import { createOnce } from "../workload/create-once.ts";

export interface NodeFacts {
  readonly registration: NodeRegistration;
  readonly address: string;
  readonly hostname: string;
  readonly controlPlane: boolean;
  /** With the `v`, for example `v1.34.0`. */
  readonly kubeletVersion: string;
  readonly machineID: string;
  /** The host and port where it reaches the API server. Absent: on its own machine. */
  readonly apiServer?: string;
  /** Where its container runtime looks for the configuration of the network. Default `/etc/cni/net.d`. */
  readonly networkFolder?: string | undefined;
  /** Where its kubelet looks for static Pods. Default `/etc/kubernetes/manifests`. */
  readonly manifestFolder?: string | undefined;
}

const labelsOf = (facts: NodeFacts): Readonly<Record<string, string>> => ({
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
    metadata: { name: facts.registration.name, labels: labelsOf(facts) },
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

/** A kubelet that waits for the cloud's controller leaves the addresses to it, unless it was told one. */
const addressesOf = (facts: NodeFacts, network: MachineNetwork | undefined): readonly object[] => {
  const isLeftToCloud =
    network !== undefined && external(facts) && facts.registration.kubeletArgs["node-ip"] === undefined;
  return [
    ...(isLeftToCloud ? [] : [{ type: "InternalIP", address: facts.address }]),
    { type: "Hostname", address: facts.hostname },
  ];
};

const nodeStatus = (facts: NodeFacts, now: number, network: MachineNetwork | undefined): object => {
  return {
    addresses: addressesOf(facts, network),
    capacity: { cpu: "2", memory: "4026532Ki", pods: "110" },
    allocatable: { cpu: "2", memory: "3924132Ki", pods: "110" },
    conditions: heardConditions(rfc3339(now), network?.isReady() === false ? networkNotReady : undefined),
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

/**
 * Registers the Node, or takes over one of the same name, and reports it Ready, or that it has no network. Nothing is put on it before others
 * have seen that.
 */
export const registerNode = async (client: Client, facts: NodeFacts, machine: MachineContext): Promise<void> => {
  const { clock, signal } = machine;
  await createOnce(client, Node, nodeObject(facts), signal);
  const body = { status: nodeStatus(facts, clock.now(), networkOf(machine, facts)) };
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
  {
    annotations = {},
    labels,
    signal,
  }: {
    readonly annotations?: Readonly<Record<string, string>>;
    readonly labels: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
  },
): Promise<void> => {
  await client.patch(Node, { name }, { type: "merge", body: { metadata: { annotations, labels } } }, { signal });
};

/** Labels the Node of a control plane machine, as kubeadm does. */
export const markControlPlane = (client: Client, name: string, signal: AbortSignal): Promise<void> =>
  labelNode(client, name, { labels: controlPlaneLabels, signal });

/** The network of the machine's Pods; `undefined`: it is lenient, and needs none. */
const networkOf = ({ disk, lenient }: MachineContext, { networkFolder }: NodeFacts): MachineNetwork | undefined =>
  lenient ? undefined : machineNetwork(disk, networkFolder);

/** The kubelet runs from now on, until the machine is switched off or reset. */
export const startKubelet = (machine: MachineContext, authority: string, facts: NodeFacts): void => {
  machine.stopKubelet?.();
  const { disk, request } = machine;
  const network = networkOf(machine, facts);
  const { apiServer } = facts;
  const url = apiServer === undefined ? undefined : new URL(`https://${apiServer}`);
  const reachesServer = (): boolean => url === undefined || passage(machine, url) === "open";
  const kubelet = { node: facts.registration.name, address: request.address, disk, network, reachesServer };
  const silence = machine.workloads.kubelets(authority).start(kubelet);
  const unmirror = mirrorFiles(machine, {
    node: kubelet.node,
    version: facts.kubeletVersion,
    folder: facts.registration.kubeletArgs["pod-manifest-path"] ?? facts.manifestFolder ?? "/etc/kubernetes/manifests",
    client: async () => (reachesServer() ? (await machine.workloads.find(authority))?.admin : undefined),
  });
  const stop = (): void => {
    silence();
    unmirror();
  };
  machine.signal.addEventListener("abort", stop, { once: true });
  machine.stopKubelet = stop;
};

/** Writes the providerID and takes the cloud taint off, as a cloud controller does that needs no workload of the cluster. */
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

/** Returns whether the Node of a lenient machine is initialized at once in place of the cloud's controller. */
export const skipsCloudController = (facts: NodeFacts, { lenient }: MachineContext): boolean =>
  lenient && external(facts);
