import type { Client } from "@capstan/kube";
import type { KubeObject } from "@capstan/schema";
import { DaemonSet, Namespace } from "../kinds/workload-kinds.ts";
import { defaultNetworkFolder, machineNetwork } from "../network/network-plugin.ts";
import type { MachineContext } from "../node/machine-context.ts";
import type { ServerRegistration } from "../workload/server-registration.ts";
import { createOnce } from "../workload/create-once.ts";
import type { Distribution } from "./distribution.ts";
import { listOf, type NodeConfig, textOf } from "./node-config.ts";

/** Returns the settings that the first server chooses for its cluster. */
export const clusterSettings = (
  { name }: Distribution,
  config: NodeConfig,
): Pick<ServerRegistration, "hasCloudController" | "networkPlugins"> => {
  const provider = textOf(config["cloud-provider-name"]);
  const isOwn = name === "k3s" || provider === "" || provider === "rke2";
  const asked = listOf(config["cni"]).flatMap((each) => each.split(","));
  const ofRke2 = (asked.length === 0 ? ["canal"] : asked).filter((each) => each !== "none" && each !== "multus");
  const ofK3s = config["flannel-backend"] === "none" ? [] : ["flannel"];
  return {
    hasCloudController: isOwn && config["disable-cloud-controller"] !== true,
    networkPlugins: name === "rke2" ? ofRke2 : ofK3s,
  };
};

/** The folder in which the agent of k3s has its network's configuration, unless the user brings the plugin; otherwise the usual one. */
export const networkFolderOf = (
  { dataDirectory, name }: Distribution,
  config: NodeConfig,
  { networkPlugins }: ServerRegistration,
): string =>
  name === "k3s" && networkPlugins.length > 0
    ? `${textOf(config["data-dir"]) || dataDirectory}/agent/etc/cni/net.d`
    : defaultNetworkFolder;

/** The agent of k3s is a network plugin by itself. */
export const startOwnNetwork = (
  { disk }: MachineContext,
  { name }: Distribution,
  registration: ServerRegistration,
  folder: string,
): void => {
  if (name === "k3s" && registration.networkPlugins.length > 0) machineNetwork(disk, folder).configure("flannel");
};

/** Names of the DaemonSets in the charts that RKE2 brings, and their namespaces. */
const daemonSets: Readonly<Record<string, readonly [name: string, namespace: string]>> = {
  canal: ["rke2-canal", "kube-system"],
  calico: ["calico-node", "calico-system"],
  cilium: ["cilium", "kube-system"],
  flannel: ["kube-flannel-ds", "kube-system"],
};

const daemonSet = (plugin: string, [name, namespace]: readonly [string, string]): KubeObject => {
  const labels = { "k8s-app": plugin };
  const folder = { name: "cni-net-dir", hostPath: { path: defaultNetworkFolder } };
  return {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name, namespace, labels },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          hostNetwork: true,
          priorityClassName: "system-node-critical",
          nodeSelector: { "kubernetes.io/os": "linux" },
          tolerations: [{ operator: "Exists" }],
          containers: [
            {
              name: plugin,
              image: `rancher/hardened-${plugin}:simulated`,
              volumeMounts: [{ name: folder.name, mountPath: "/host/etc/cni/net.d" }],
            },
          ],
          volumes: [folder],
        },
      },
    },
  };
};

/** Creates the objects that RKE2's charts of network plugins install in a new cluster. */
export const installNetworkPlugins = async (
  client: Client,
  { name }: Distribution,
  { networkPlugins }: ServerRegistration,
  signal: AbortSignal,
): Promise<void> => {
  if (name !== "rke2") return;
  for (const plugin of networkPlugins) {
    const place = daemonSets[plugin];
    if (place === undefined) continue;
    const [, namespace] = place;
    if (namespace !== "kube-system") {
      const object = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
      await createOnce(client, Namespace, object, signal);
    }
    await createOnce(client, DaemonSet, daemonSet(plugin, place), signal);
  }
};
