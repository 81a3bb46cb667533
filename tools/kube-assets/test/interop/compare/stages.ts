import { readFileSync } from "node:fs";
import { Group } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import { type StartServer, startWorld } from "../world.ts";
import { playedKinds, refTo } from "./played-kinds.ts";
import { untilServed } from "./requests.ts";
import { kindsOfCore, openStage, type Stage, type StageKinds } from "./stage.ts";

type Managers = Parameters<typeof startWorld>[1];

/** Two stages: on the first are upstream's managers alone, on the second some of ours in their place. */
export interface Stages {
  readonly theirs: Stage;
  readonly ours: Stage;
  stop(): Promise<void>;
}

const metadata = { name: "ready", namespace: "default" };

const readyCluster: KubeObject = {
  apiVersion: `${Group.core}/v1beta2`,
  kind: "Cluster",
  metadata,
  spec: { infrastructureRef: refTo(playedKinds.cluster, "a") },
};

const readyConfig: KubeObject = {
  apiVersion: `${Group.bootstrap}/v1beta2`,
  kind: "KubeadmConfig",
  metadata,
  spec: { verbosity: 1 },
};

const startStages = async (
  start: StartServer,
  options: {
    readonly kinds: StageKinds;
    readonly theirs: Managers;
    readonly ours: Managers;
    /** What managers that are ready accept. */
    readonly ready: readonly KubeObject[];
  },
): Promise<Stages> => {
  const ends: (() => Promise<void>)[] = [];
  const stageOf = async (managers: Managers): Promise<Stage> => {
    const world = await startWorld(start, managers);
    ends.unshift(() => world.stop());
    await world.environment.apply(Object.values(playedKinds).map(({ crd }) => crd));
    for (const object of options.ready) await untilServed(world, object);
    const stage = await openStage(readFileSync(world.environment.kubeconfigFile, "utf8"), options.kinds);
    ends.unshift(() => stage.stop());
    return stage;
  };
  return {
    theirs: await stageOf(options.theirs),
    ours: await stageOf(options.ours),
    stop: async () => {
      for (const end of ends) await end();
    },
  };
};

const readyControlPlane: KubeObject = {
  apiVersion: `${Group.controlPlane}/v1beta2`,
  kind: "KubeadmControlPlane",
  metadata,
  spec: {
    version: "v1.34.0",
    machineTemplate: { spec: { infrastructureRef: refTo(playedKinds.machineTemplate, "a") } },
    kubeadmConfigSpec: { verbosity: 1 },
  },
};

/** Upstream's managers of core and of KubeadmConfigs on both, with upstream's manager of KubeadmControlPlanes and with ours. */
export const startControlPlaneStages = (start: StartServer): Promise<Stages> => {
  const beside = ["capi-core", "capi-bootstrap-kubeadm"] as const;
  return startStages(start, {
    kinds: { ...kindsOfCore, older: [], woken: [] },
    theirs: {
      upstream: [...beside, "capi-controlplane-kubeadm"],
      // Ours has no gate before templates of control planes and Ignition.
      upstreamArgs: ["--feature-gates=ClusterTopology=true,KubeadmBootstrapFormatIgnition=true"],
    },
    ours: { upstream: [...beside], capstan: ["controlplane-kubeadm"] },
    ready: [readyCluster, readyControlPlane],
  });
};

/** Upstream's manager of core, and ours. */
export const startCoreStages = (start: StartServer): Promise<Stages> =>
  startStages(start, {
    kinds: kindsOfCore,
    // Ours has no gate before taints.
    theirs: { upstream: ["capi-core"], upstreamArgs: ["--feature-gates=MachineTaintPropagation=true"] },
    ours: { upstream: [], capstan: ["core"] },
    ready: [readyCluster],
  });

/** Upstream's manager of core on both, with upstream's manager of KubeadmConfigs and with ours. */
export const startBootstrapStages = (start: StartServer, kinds: StageKinds): Promise<Stages> =>
  startStages(start, {
    kinds,
    theirs: {
      upstream: ["capi-core", "capi-bootstrap-kubeadm"],
      // Ours has no gate before Ignition.
      upstreamArgs: ["--feature-gates=KubeadmBootstrapFormatIgnition=true"],
    },
    ours: { upstream: ["capi-core"], capstan: ["bootstrap-kubeadm"] },
    ready: [readyCluster, readyConfig],
  });
