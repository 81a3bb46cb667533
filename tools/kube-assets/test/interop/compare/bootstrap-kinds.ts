import { playedKinds } from "./played-kinds.ts";
import { ConfigMap, coreKinds, MachinePool, Secret, type StageKinds } from "./stage.ts";
import { KubeadmConfig } from "../objects.ts";

/** Of comparisons of the kubeadm bootstrap provider: core's kinds are there, but only what it makes is compared. */
export const kindsOfBootstrap: StageKinds = {
  watched: [
    coreKinds.cluster,
    coreKinds.machine,
    coreKinds.set,
    MachinePool,
    ...Object.values(playedKinds).map(({ resource }) => resource),
    KubeadmConfig,
    Secret,
    ConfigMap,
  ],
  compared: [KubeadmConfig, Secret, ConfigMap],
  older: [KubeadmConfig],
  woken: [coreKinds.cluster, KubeadmConfig],
};
