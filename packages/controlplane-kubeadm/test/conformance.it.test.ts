import { KubeadmConfig } from "@capstan/bootstrap-kubeadm/api";
import { valueAt } from "@capstan/contract/wire";
import { workloadClusters } from "@capstan/kit/workload";
import { controlPlaneConformance } from "@capstan/testing/conformance";
import { afterAll, beforeAll, describe, it } from "vitest";
import { KubeadmControlPlane, KubeadmControlPlaneTemplate } from "../src/api.ts";
import { createControlplaneKubeadmProvider } from "../src/index.ts";
import { WorkloadWorld } from "./workload-world.ts";

const world = new WorkloadWorld();

afterAll(async () => {
  world.assertMembersFollow();
  await world.stop();
});

controlPlaneConformance(
  { afterAll, beforeAll, describe, it, crashEvery: 8 },
  {
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
  },
);
