import { isJsonObject } from "@capstan/schema";
import type { Disk } from "../boot/disk.ts";

/** Where a container runtime looks for the configuration of its network unless it is told otherwise. */
export const defaultNetworkFolder = "/etc/cni/net.d";

/** Message of a kubelet about its Node and its Pods while its runtime has no network. */
export const networkNotReady =
  "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady " +
  "message:Network plugin returns error: cni plugin not initialized";

/** The network of the Pods of one machine. */
export interface MachineNetwork {
  /** Where its runtime looks for a configuration. */
  readonly folder: string;
  isReady(): boolean;
  /** Leaves a configuration, as the program of a network plugin does on the machines that it runs on; one that is there is kept. */
  configure(name: string): void;
  /** Calls when it may have become ready, or not ready any more. Returns the function that ends that. */
  subscribe(listener: () => void): () => void;
}

const isConfiguration = (path: string, text: string): boolean => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return false;
  }
  if (!isJsonObject(value)) return false;
  const { plugins, type } = value;
  if (path.endsWith(".conflist")) return Array.isArray(plugins) && plugins.length > 0;
  return typeof type === "string" && type !== "";
};

/** The network that a folder of the machine's disk configures: containerd takes the first file by name, and no other if that one is bad. */
export const machineNetwork = (disk: Disk, folder = defaultNetworkFolder): MachineNetwork => {
  const files = (): readonly string[] =>
    disk
      .paths()
      .filter(
        (path) =>
          path.startsWith(`${folder}/`) && /^[^/]+\.(?:conf|conflist|json)$/.test(path.slice(folder.length + 1)),
      );
  const isReady = (): boolean => {
    const [first] = files();
    return first !== undefined && isConfiguration(first, disk.text(first) ?? "");
  };
  return {
    folder,
    isReady,
    configure: (name) => {
      if (files().length > 0) return;
      const plugins = [{ type: name }, { type: "portmap", capabilities: { portMappings: true } }];
      disk.write(`${folder}/10-${name}.conflist`, `${JSON.stringify({ name, cniVersion: "1.0.0", plugins })}\n`);
    },
    subscribe: (listener) => {
      let before = isReady();
      return disk.watch(folder, () => {
        const now = isReady();
        if (now === before) return;
        before = now;
        listener();
      });
    },
  };
};
