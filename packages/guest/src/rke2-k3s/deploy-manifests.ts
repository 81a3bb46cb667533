import { readYaml } from "@capstan/kube-values/yaml";
import { isJsonObject, type KubeObject } from "@capstan/schema";
import { apply, type Cluster, kindFinder } from "../kubectl/apply.ts";
import type { MachineContext } from "../node/machine-context.ts";
import type { WorkloadCluster } from "../workload/workload-cluster.ts";

/** Where objects go that name no namespace. */
const namespace = "kube-system";

/** The objects in the text of a manifest. */
export const objectsIn = (text: string): readonly KubeObject[] =>
  readYaml(text).flatMap(({ value }) => (isJsonObject(value) ? [value as unknown as KubeObject] : []));

const deploy = async (machine: MachineContext, path: string, cluster: Cluster): Promise<void> => {
  const { console: output, disk, signal } = machine;
  try {
    for (const object of objectsIn(disk.text(path) ?? "")) await apply(object, cluster);
  } catch (error) {
    if (signal.aborted) return;
    const message = `Failed to process config: failed to process ${path}: ${(error as Error).message}`;
    output.print("deploy", `level=error msg=${JSON.stringify(message)}`);
  }
};

/** Applies the manifests in a folder of a server, as its deploy controller does, and again whenever the folder changes. */
export const deployManifests = async (
  machine: MachineContext,
  folder: string,
  { admin }: WorkloadCluster,
): Promise<void> => {
  const { disk, signal } = machine;
  const cluster: Cluster = { client: admin, signal, namespace, resourceOf: kindFinder(admin, signal) };
  /** By path. */
  const deployed = new Map<string, string>();
  const all = async (): Promise<void> => {
    for (const path of disk.paths()) {
      if (!path.startsWith(`${folder}/`) || !/\.(?:ya?ml|json)$/.test(path)) continue;
      const text = disk.text(path) ?? "";
      if (deployed.get(path) === text) continue;
      deployed.set(path, text);
      await deploy(machine, path, cluster);
    }
  };
  signal.addEventListener(
    "abort",
    disk.watch(folder, () => void all()),
    { once: true },
  );
  await all();
};
