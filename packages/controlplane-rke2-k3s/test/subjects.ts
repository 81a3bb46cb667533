import { KThreesConfig, RKE2Config } from "@capstan/bootstrap-rke2-k3s/api";
import { workloadClusters } from "@capstan/kit/workload";
import type { WorkloadWorld } from "@capstan/testing";
import type { ControlPlaneSubject } from "@capstan/testing/conformance";
import {
  KThreesControlPlane,
  KThreesControlPlaneTemplate,
  RKE2ControlPlane,
  RKE2ControlPlaneTemplate,
} from "../src/api.ts";
import { createControlplaneRke2K3sProvider } from "../src/index.ts";
import type { Servers } from "./servers-world.ts";

const shared = (
  world: WorkloadWorld<Servers>,
): Pick<ControlPlaneSubject, "faults" | "gone" | "joined" | "kinds" | "prepare" | "provider"> => ({
  // One provider has controllers of both.
  kinds: [
    KThreesConfig,
    KThreesControlPlane,
    KThreesControlPlaneTemplate,
    RKE2Config,
    RKE2ControlPlane,
    RKE2ControlPlaneTemplate,
  ],
  provider: () => createControlplaneRke2K3sProvider(),
  prepare: (manager) => {
    world.management = manager.client;
    manager.provide(workloadClusters, world.clusters);
  },
  joined: world.joined,
  gone: world.gone,
  faults: world.faults,
});

export const rke2Subject = (world: WorkloadWorld<Servers>): ControlPlaneSubject => ({
  ...shared(world),
  controlPlaneKind: RKE2ControlPlane,
  configKind: RKE2Config,
  versionOf: (kubernetes) => `${kubernetes}+rke2r1`,
  spec: ({ infrastructureRef, labels, maxSurge = 1, replicas, version }) => ({
    replicas,
    version,
    machineTemplate: { ...(labels !== undefined && { metadata: { labels } }), spec: { infrastructureRef } },
    rolloutStrategy: { type: "RollingUpdate", rollingUpdate: { maxSurge } },
  }),
});

export const kthreesSubject = (world: WorkloadWorld<Servers>): ControlPlaneSubject => ({
  ...shared(world),
  controlPlaneKind: KThreesControlPlane,
  configKind: KThreesConfig,
  versionOf: (kubernetes) => `${kubernetes}+k3s1`,
  skip: { "replaces all for another version, with one less meanwhile": "a KThreesControlPlane has no surge to set" },
  spec: ({ infrastructureRef: { apiGroup, ...reference }, labels, replicas, version }) => ({
    replicas,
    version,
    machineTemplate: {
      ...(labels !== undefined && { metadata: { labels } }),
      infrastructureRef: { apiVersion: `${apiGroup}/v1beta2`, ...reference },
    },
  }),
});
