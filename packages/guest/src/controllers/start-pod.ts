import { dirname } from "node:path/posix";
import type { StartingContainerV1 } from "@capstan/contract/v1";
import type { ReconcileContext } from "@capstan/runtime";
import type { Container, PodObject } from "../kinds/workload-kinds.ts";
import { type MachineNetwork, networkNotReady } from "../network/network-plugin.ts";
import { type Clouds, commandOf } from "./clouds.ts";
import { environmentOf } from "./container-environment.ts";
import { hasNetwork, type Kubelet } from "./kubelets.ts";

/** Why containers of a Pod do not run, as its status says it. */
export interface Obstacle {
  /** `ContainerCreating`: until its Node has a network. */
  readonly reason: "ContainerCreating" | "CreateContainerConfigError" | "CrashLoopBackOff";
  /** The container; absent: all of them. */
  readonly container?: string;
  readonly message?: string;
}

/** The text of a file of the machine, where the Pod mounts a folder above it. */
const fileOf =
  ({ spec }: PodObject, { disk }: Kubelet) =>
  (path: string): string | undefined => {
    const isMounted = (spec.volumes ?? []).some(
      ({ hostPath }) => hostPath !== undefined && `${path}/`.startsWith(`${hostPath.path.replace(/\/+$/, "")}/`),
    );
    return isMounted ? disk.text(path) : undefined;
  };

/** A container with what it finds around it on its machine, or why it cannot be made. */
export const containerOn = async (
  kubelet: Kubelet,
  { container, pod }: { readonly container: Container; readonly pod: PodObject },
  context: ReconcileContext,
): Promise<StartingContainerV1 | { readonly missing: string }> => {
  const environment = await environmentOf(container, pod, context);
  if ("missing" in environment) return environment;
  return { ...commandOf(container), environment: environment.variables, file: fileOf(pod, kubelet) };
};

const obstacleOf = async (
  container: Container,
  pod: PodObject,
  { clouds, kubelet }: { readonly kubelet: Kubelet; readonly clouds: Clouds },
  context: ReconcileContext,
): Promise<Obstacle | undefined> => {
  const { name } = container;
  const starting = await containerOn(kubelet, { container, pod }, context);
  if ("missing" in starting) {
    return { reason: "CreateContainerConfigError", container: name, message: starting.missing };
  }
  const message = clouds.cloudOf(starting)?.refusal(starting);
  return message === undefined ? undefined : { reason: "CrashLoopBackOff", container: name, message };
};

/** Returns the obstacle that keeps a Pod from running; `undefined` if there is none, and on a lenient machine. */
export const startObstacle = async (
  pod: PodObject,
  place: { readonly kubelet: Kubelet; readonly clouds: Clouds },
  context: ReconcileContext,
): Promise<Obstacle | undefined> => {
  if (place.kubelet.network === undefined) return undefined;
  if (pod.spec.hostNetwork !== true && !hasNetwork(place.kubelet)) {
    return { reason: "ContainerCreating", message: networkNotReady };
  }
  for (const container of pod.spec.containers) {
    const obstacle = await obstacleOf(container, pod, place, context);
    if (obstacle !== undefined) return obstacle;
  }
  return undefined;
};

/** Returns whether a Pod writes into a folder of its machine. */
const mounts = ({ spec }: PodObject, folder: string): boolean => {
  const names = (spec.volumes ?? []).flatMap(({ hostPath, name }) => {
    const path = hostPath?.path.replace(/\/+$/, "");
    return path === folder || path === dirname(folder) ? [name] : [];
  });
  return [...(spec.initContainers ?? []), ...spec.containers].some(({ volumeMounts = [] }) =>
    volumeMounts.some(({ name, readOnly = false }) => !readOnly && names.includes(name)),
  );
};

/** A Pod of a DaemonSet that mounts the folder of the network's configuration is a network plugin: it writes one. */
export const configureNetwork = (pod: PodObject, network: MachineNetwork | undefined): void => {
  if (network === undefined) return;
  const daemonSet = pod.metadata.ownerReferences?.find(
    ({ controller, kind }) => controller === true && kind === "DaemonSet",
  );
  if (daemonSet === undefined || !mounts(pod, network.folder)) return;
  const { labels = {} } = pod.metadata;
  network.configure(labels["k8s-app"] ?? labels["app"] ?? daemonSet.name);
};
