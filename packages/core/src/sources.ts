import { controllerOf } from "@capstan/contract/wire";
import { blockersIn, findCondition, MachineCondition } from "@capstan/kit/machines";
import type { WorkloadClusters, WorkloadEvent } from "@capstan/kit/workload";
import { workloadClusters } from "@capstan/kit/workload";
import type { Cache, CacheEvent } from "@capstan/kube";
import { keyOf, keyText, nameAsLabel, selects } from "@capstan/kube-values";
import type { Environment, Predicate, Request, Source } from "@capstan/runtime";
import { type KubeObject, sameJson } from "@capstan/schema";
import { Annotation, Label } from "@capstan/contract";
import { type Cluster, type MachineDrainRule, ClusterCondition } from "./api.ts";
import { Machine, MachineDeployment, MachineHealthCheck, MachinePool, MachineSet } from "./api.ts";
import type { Node } from "./object/workload-kinds.ts";
import { coreAccount } from "./object/workload-account.ts";
import { byCluster, byController, clusterText, machinesByProviderID, poolsByProviderID } from "./object/indexes.ts";

const toRequest = (object: KubeObject): Request => keyOf(object);

const toRequests = (objects: readonly KubeObject[]): readonly Request[] => objects.map(toRequest);

/** Returns the facts of a Cluster that its Machines, sets and deployments act on. */
const facts = (cluster: Cluster): readonly unknown[] => [
  cluster.spec.paused,
  cluster.metadata.deletionTimestamp,
  cluster.status?.initialization?.infrastructureProvisioned,
  cluster.status?.initialization?.controlPlaneInitialized,
  findCondition(cluster, ClusterCondition.controlPlaneInitialized)?.status,
];

/** Lets a Cluster's event pass when it changes what its Machines act on. */
export const clusterFactsChanged: Predicate<Cluster> = (event) => {
  if (event.type !== "updated") return true;
  const [before, after] = [facts(event.previous), facts(event.object)];
  return before.some((fact, index) => fact !== after[index]);
};

/** Lets an event of a set or deployment pass when it may change what its Machines are compared with. */
export const desiredStateChanged: Predicate<MachineSet | MachineDeployment> = (event) =>
  event.type !== "updated" ||
  event.previous.metadata.generation !== event.object.metadata.generation ||
  event.previous.metadata.annotations?.[Annotation.revision] !==
    event.object.metadata.annotations?.[Annotation.revision];

/** Lets an event of a set pass when it says something else of why it cannot make what its Machines refer to, too. */
export const makingChanged: Predicate<MachineSet> = (event) =>
  desiredStateChanged(event) ||
  (event.type === "updated" && !sameJson(blockersIn(event.previous), blockersIn(event.object)));

/** Machines, sets or deployments of a Cluster. */
export const ofClusterRequests =
  (
    kind:
      | typeof Machine
      | typeof MachineSet
      | typeof MachineDeployment
      | typeof MachinePool
      | typeof MachineHealthCheck,
  ) =>
  (cluster: Cluster, { cache }: Environment): readonly Request[] =>
    toRequests(cache.byIndex<KubeObject>(kind, byCluster, keyText(keyOf(cluster))));

/** The Cluster an object names. */
export const toCluster = ({
  metadata,
  spec,
}: KubeObject & { readonly spec: { readonly clusterName: string } }): readonly Request[] => [
  { namespace: metadata.namespace ?? "", name: spec.clusterName },
];

const machinesOfSet = (cache: Cache, set: MachineSet): readonly Request[] =>
  toRequests(cache.byIndex(Machine, byController, set.metadata.uid ?? ""));

export const setToMachines = (set: MachineSet, { cache }: Environment): readonly Request[] => machinesOfSet(cache, set);

/** The sets of a deployment, which read from it how many Machines may be replaced at once, and whether they are of its present template. */
export const deploymentToSets = ({ metadata }: MachineDeployment, { cache }: Environment): readonly Request[] =>
  toRequests(cache.byIndex(MachineSet, byController, metadata.uid ?? ""));

/** The Machines of a pool, which are compared with what it wants. */
export const poolToMachines = ({ metadata }: MachinePool, { cache }: Environment): readonly Request[] =>
  toRequests(cache.byIndex(Machine, byController, metadata.uid ?? ""));

/** The pools of a Cluster with a name that comes to this label. */
const poolsOfLabel = (cache: Cache, object: KubeObject): readonly MachinePool[] => {
  const { labels = {}, namespace = "" } = object.metadata;
  const [pool, name] = [labels[Label.poolName], labels[Label.clusterName]];
  if (pool === undefined || name === undefined) return [];
  const pools = cache.byIndex<MachinePool>(MachinePool, byCluster, keyText({ namespace, name }));
  return pools.filter(({ metadata }) => nameAsLabel(metadata.name ?? "") === pool);
};

/** The pool of an infrastructure machine, by its labels. */
export const infraMachineToPools = (object: KubeObject, { cache }: Environment): readonly Request[] =>
  toRequests(poolsOfLabel(cache, object));

/** The pool that controls a Machine; for an orphan, the one whose label it has. */
export const machineToPools = (machine: Machine, { cache }: Environment): readonly Request[] => {
  const controller = controllerOf(machine);
  if (controller === undefined) return toRequests(poolsOfLabel(cache, machine));
  return controller.kind === MachinePool.kind
    ? [{ namespace: machine.metadata.namespace ?? "", name: controller.name }]
    : [];
};

/** The pools that a workload cluster's event is about: of one Node, or all of them. */
export const workloadToPools = (event: WorkloadEvent, { cache }: Environment): readonly Request[] => {
  if (event.type === "probe-failed") return [];
  const pools = cache.byIndex<MachinePool>(MachinePool, byCluster, keyText(event.cluster));
  if (event.type !== "node" || pools.length === 0) return toRequests(pools);
  const { object } = event.event;
  const { providerID } = (object["spec"] ?? {}) as { readonly providerID?: string };
  const named = pools.filter(({ status }) => status?.nodeRefs?.some(({ name }) => name === object.metadata.name));
  const known = cache.byIndex<MachinePool>(MachinePool, poolsByProviderID, providerID ?? "");
  const wanted = new Set([...named, ...known]);
  return toRequests(pools.filter((pool) => wanted.has(pool)));
};

export const deploymentToMachines = (deployment: MachineDeployment, { cache }: Environment): readonly Request[] =>
  cache.byIndex(MachineSet, byController, deployment.metadata.uid ?? "").flatMap((set) => machinesOfSet(cache, set));

/** The set that controls a Machine; for an orphan, the sets that could adopt it. */
export const machineToSets = (machine: Machine, { cache }: Environment): readonly Request[] => {
  const controller = controllerOf(machine);
  const namespace = machine.metadata.namespace ?? "";
  if (controller !== undefined) {
    return controller.kind === MachineSet.kind ? [{ namespace, name: controller.name }] : [];
  }
  const sets = cache.byIndex(MachineSet, byCluster, clusterText(machine));
  return toRequests(sets.filter(({ spec }) => selects(spec.selector, machine.metadata.labels)));
};

/** The deployment that controls a set; for an orphan, the deployments that could adopt it. */
export const setToDeployments = (set: MachineSet, { cache }: Environment): readonly Request[] => {
  const controller = controllerOf(set);
  const namespace = set.metadata.namespace ?? "";
  if (controller !== undefined) {
    return controller.kind === MachineDeployment.kind ? [{ namespace, name: controller.name }] : [];
  }
  const deployments = cache.byIndex(MachineDeployment, byCluster, clusterText(set));
  return toRequests(deployments.filter(({ spec }) => selects(spec.selector, set.metadata.labels)));
};

/** The deployment of the set of a Machine, whose conditions sum up those of its Machines. */
export const machineToDeployments = (machine: Machine, { cache }: Environment): readonly Request[] => {
  const controller = controllerOf(machine);
  if (controller?.kind !== MachineSet.kind) return [];
  const set = cache.get(MachineSet, { namespace: machine.metadata.namespace ?? "", name: controller.name });
  return set === undefined ? [] : deploymentOf(set);
};

const deploymentOf = (set: MachineSet): readonly Request[] => {
  const controller = controllerOf(set);
  return controller?.kind === MachineDeployment.kind
    ? [{ namespace: set.metadata.namespace ?? "", name: controller.name }]
    : [];
};

/** Turns what happens in workload clusters into requests. */
export const workloadSource = (
  requests: (event: WorkloadEvent, environment: Environment) => readonly Request[],
): Source => ({
  start: (queue, environment, { signal }) => {
    const clusters: WorkloadClusters = environment.service(workloadClusters).as(coreAccount);
    const unsubscribe = clusters.subscribe((event) => {
      for (const request of requests(event, environment)) queue.add(request);
    });
    signal.addEventListener("abort", unsubscribe, { once: true });
  },
});

const machinesOfNode = (
  cache: Cache,
  cluster: { readonly namespace: string; readonly name: string },
  event: CacheEvent<KubeObject>,
): readonly Request[] => {
  const { annotations, name } = event.object.metadata;
  const { providerID } = (event.object["spec"] ?? {}) as { readonly providerID?: string };
  const linked = annotations?.[Annotation.nodeMachine];
  const machines =
    providerID === undefined
      ? cache.byIndex(Machine, byCluster, keyText(cluster)).filter(({ status }) => status?.nodeRef?.name === name)
      : cache
          .byIndex(Machine, machinesByProviderID, providerID)
          .filter(
            ({ metadata, spec }) => metadata.namespace === cluster.namespace && spec.clusterName === cluster.name,
          );
  return [...(linked === undefined ? [] : [{ namespace: cluster.namespace, name: linked }]), ...toRequests(machines)];
};

/** The Machines that a workload cluster's event is about: of one Node, or all of them. */
export const workloadToMachines = (event: WorkloadEvent, { cache }: Environment): readonly Request[] => {
  if (event.type === "node") return machinesOfNode(cache, event.cluster, event.event);
  if (event.type === "probe-failed") return [];
  return toRequests(cache.byIndex(Machine, byCluster, keyText(event.cluster)));
};

/** The checks that are about a Machine. */
export const machineToHealthChecks = (machine: Machine, { cache }: Environment): readonly Request[] => {
  const key = clusterText(machine);
  return toRequests(
    cache
      .byIndex(MachineHealthCheck, byCluster, key)
      .filter(({ spec }) => selects(spec.selector, machine.metadata.labels)),
  );
};

/** The checks of the same Cluster, which may be about the same Machines. */
export const healthCheckToOthers = (
  { metadata, spec }: MachineHealthCheck,
  { cache }: Environment,
): readonly Request[] =>
  toRequests(
    cache
      .byIndex(MachineHealthCheck, byCluster, clusterText({ metadata, spec }))
      .filter((other) => other.metadata.name !== metadata.name),
  );

/** The checks that are about the Machine of a key. */
export const ownerToHealthChecks = (owner: Request, environment: Environment): readonly Request[] => {
  const machine = environment.cache.get(Machine, owner);
  return machine === undefined ? [] : machineToHealthChecks(machine, environment);
};

/** Returns the health of a Machine, without the conditions that only summarize it. */
const healthFacts = ({ metadata, status }: Machine): string =>
  JSON.stringify([
    metadata.labels,
    metadata.annotations,
    metadata.deletionTimestamp,
    status?.nodeRef?.name,
    status?.conditions
      ?.filter(({ type }) => type !== MachineCondition.ready && type !== MachineCondition.available)
      .map(({ type, status: value, reason, lastTransitionTime }) => [type, value, reason, lastTransitionTime]),
  ]);

/** Lets a Machine's event pass when it may change the verdict about it. */
export const healthChanged: Predicate<Machine> = (event) =>
  event.type !== "updated" || healthFacts(event.previous) !== healthFacts(event.object);

/** The Machines on their way out that a rule may be about. */
export const drainRuleToMachines = ({ metadata }: MachineDrainRule, { cache }: Environment): readonly Request[] =>
  toRequests(
    cache
      .list(Machine, { namespace: metadata.namespace ?? "" })
      .filter((machine) => machine.metadata.deletionTimestamp !== undefined),
  );

const nodeFacts = (node: Node): string =>
  JSON.stringify(
    node.status?.conditions?.map(({ type, status, lastTransitionTime }) => [type, status, lastTransitionTime]),
  );

/** The checks that a workload cluster's event is about: heartbeats of kubelets are none of their business. */
export const workloadToHealthChecks = (event: WorkloadEvent, environment: Environment): readonly Request[] => {
  const { cache } = environment;
  if (event.type === "probe-failed") return [];
  if (event.type !== "node") {
    return toRequests(cache.byIndex(MachineHealthCheck, byCluster, keyText(event.cluster)));
  }
  const change = event.event;
  if (change.type === "updated" && nodeFacts(change.previous) === nodeFacts(change.object)) return [];
  return machinesOfNode(cache, event.cluster, change).flatMap((machine) => ownerToHealthChecks(machine, environment));
};

/** A Node is the Cluster's business when its Machine no longer exists, or no one has noted yet whose it is. */
export const workloadToCluster = (event: WorkloadEvent, { cache }: Environment): readonly Request[] => {
  if (event.type !== "node") return [event.cluster];
  const machine = event.event.object.metadata.annotations?.[Annotation.nodeMachine];
  const { namespace } = event.cluster;
  if (machine === undefined) return [event.cluster];
  return machine === "" || cache.get(Machine, { namespace, name: machine }) !== undefined ? [] : [event.cluster];
};
