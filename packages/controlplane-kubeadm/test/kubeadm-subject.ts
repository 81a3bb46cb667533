import { KubeadmConfig } from "@capstan/bootstrap-kubeadm/api";
import { valueAt } from "@capstan/contract/wire";
import { workloadClusters } from "@capstan/kit/workload";
import type { ControlPlaneSubject } from "@capstan/testing/conformance";
import { KubeadmControlPlane, KubeadmControlPlaneTemplate } from "../src/api.ts";
import { createControlplaneKubeadmProvider } from "../src/index.ts";
import type { WorkloadWorld } from "@capstan/testing";
import type { Workload } from "./workload-world.ts";

/** The provider among workload clusters whose etcd is real. */
export const kubeadmSubject = (world: WorkloadWorld<Workload>): ControlPlaneSubject => ({
  kinds: [KubeadmConfig, KubeadmControlPlane, KubeadmControlPlaneTemplate],
  controlPlaneKind: KubeadmControlPlane,
  configKind: KubeadmConfig,
  provider: () => createControlplaneKubeadmProvider(),
  prepare: (manager) => {
    world.management = manager.client;
    manager.provide(workloadClusters, world.clusters);
  },
  spec: ({ infrastructureRef, labels, maxSurge, replicas, version }) => ({
    replicas,
    version,
    machineTemplate: {
      ...(labels === undefined ? {} : { metadata: { labels } }),
      spec: { infrastructureRef },
    },
    ...(maxSurge === undefined
      ? {}
      : { rollout: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge } } } }),
  }),
  roleOf: (config) => (valueAt(config, "spec.joinConfiguration.controlPlane") === undefined ? "init" : "join"),
  joined: world.joined,
  gone: world.gone,
  faults: world.faults,
});
