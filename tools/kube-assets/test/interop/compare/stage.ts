import { Group } from "@capstan/contract";
import { type Client, connect, createCache, createClient, loadKubeconfig, type WatchCache } from "@capstan/kube";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { type Resource, resource } from "@capstan/schema";
import { type Server, startCapstanServer } from "../../../src/interop/environment.ts";
import { playedKinds } from "./played-kinds.ts";

const core = (kind: string, plural: string): Resource =>
  resource({ group: Group.core, version: "v1beta2", kind, plural });
const plain = (kind: string, plural: string, namespaced = true): Resource =>
  resource({ group: "", version: "v1", kind, plural, namespaced });

/** The kinds that core's controllers own, from the outermost to the innermost. */
export const coreKinds = {
  cluster: core("Cluster", "clusters"),
  deployment: core("MachineDeployment", "machinedeployments"),
  set: core("MachineSet", "machinesets"),
  machine: core("Machine", "machines"),
  check: core("MachineHealthCheck", "machinehealthchecks"),
} as const;

export const Namespace = plain("Namespace", "namespaces", false);
export const Secret = plain("Secret", "secrets");
export const Event = plain("Event", "events");
export const Node = plain("Node", "nodes", false);
export const Pod = plain("Pod", "pods");

export const ConfigMap = plain("ConfigMap", "configmaps");
export const MachinePool = core("MachinePool", "machinepools");

/** What is done with which kinds in a comparison. */
export interface StageKinds {
  /** Scenarios and managers make and change their objects. */
  readonly watched: readonly Resource[];
  /** Every fact of their objects counts. */
  readonly compared: readonly Resource[];
  /** How their objects read in the older version counts as well. */
  readonly older: readonly Resource[];
  /** Managers look at their objects once more before facts are taken. */
  readonly woken: readonly Resource[];
}

/** Core's own kinds, and those of the providers that are played. */
export const corePart: readonly Resource[] = [
  ...Object.values(coreKinds),
  ...Object.values(playedKinds).map(({ resource }) => resource),
  Secret,
];

/** Of comparisons of core. */
export const kindsOfCore: StageKinds = {
  watched: corePart,
  compared: corePart,
  older: Object.values(coreKinds),
  // Upstream's manager looks at them when some of their Machines change, and else after minutes.
  woken: [coreKinds.cluster, coreKinds.check],
};

/** Where scenarios are played: an API server with managers of core on it, and a workload cluster beside it. */
export interface Stage {
  readonly kinds: StageKinds;
  readonly client: Client;
  readonly cache: WatchCache;
  readonly workload: Client;
  /** What is in the workload cluster: Nodes, Pods, Secrets. */
  readonly nodes: WatchCache;
  /** Of the workload cluster. */
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

const watching = async (kubeconfig: string, kinds: readonly Resource[]) => {
  const connection = connect({ access: await loadKubeconfig({ text: kubeconfig }), clock: systemClock });
  const cache = createCache({ connection, random: cryptoRandom });
  for (const kind of kinds) cache.informer(kind, { contents: "full" });
  const end = new AbortController();
  await cache.start({ signal: end.signal });
  return {
    client: createClient(connection),
    cache,
    stop: async () => {
      end.abort();
      await connection.close();
    },
  };
};

/** The stage at the API server of a kubeconfig, which has the kinds of the scenarios. */
export const openStage = async (kubeconfig: string, kinds: StageKinds): Promise<Stage> => {
  const workloadServer: Server = await startCapstanServer();
  const management = await watching(kubeconfig, kinds.watched);
  const workload = await watching(workloadServer.kubeconfig, [Node, Pod, Secret]);
  return {
    kinds,
    client: management.client,
    cache: management.cache,
    workload: workload.client,
    nodes: workload.cache,
    kubeconfig: workloadServer.kubeconfig,
    stop: async () => {
      await management.stop();
      await workload.stop();
      await workloadServer.stop();
    },
  };
};
