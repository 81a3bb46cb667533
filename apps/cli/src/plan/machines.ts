import { Label } from "@capstan/contract";
import type { PlanItemV1 } from "@capstan/contract/v1";
import {
  cluster as clusterFields,
  ClusterResource,
  controlPlane as controlPlaneFields,
  isControlPlane,
  machine as machineFields,
  MachineDeploymentResource,
  machinePool as poolFields,
  MachinePoolResource,
  MachineResource,
  MachineSetResource,
  readReference,
  valueAt,
} from "@capstan/contract/wire";
import { isBeingDeleted } from "@capstan/kube-values";
import { apiVersionOf } from "@capstan/schema";
import type { KubeObject } from "@capstan/schema";
import type { MachineMaker } from "./certain-failures.ts";
import { infraClusters, type InfraClusters } from "./infra-clusters.ts";
import type { PlannedObject } from "./plan.ts";
import type { World } from "./world.ts";

/** Planned changes to Machines, their infrastructure and that of their Clusters. */
export interface MachinePlan {
  readonly machines: readonly PlannedObject[];
  readonly items: readonly PlanItemV1[];
  /** Owners of the machines that will be created. */
  readonly makers: readonly MachineMaker[];
}

interface Pair {
  readonly before: KubeObject | undefined;
  readonly after: KubeObject;
}

/** An owner of Machines, and the fields that name its templates. */
interface Owner {
  readonly pair: Pair;
  readonly cluster: string;
  /** Those that there are and that are not being deleted. */
  readonly members: readonly KubeObject[];
  /** Where the reference to the template of the infrastructure is: the first that there is. */
  readonly templatePaths: readonly string[];
  /** Machines are replaced when one of these fields changes. */
  readonly madeFrom: readonly string[];
  readonly isControlPlane: boolean;
}

const ofSets = {
  isControlPlane: false,
  templatePaths: [`spec.template.${machineFields.infrastructureRefPath}`],
  madeFrom: ["version", "failureDomain", "bootstrap", "infrastructureRef"].map((name) => `spec.template.spec.${name}`),
};

const controlPlanePaths = (["v1beta2", "v1beta1"] as const).map(
  (version) => controlPlaneFields.for(version).infrastructureRefPath,
);
const ofControlPlanes = {
  isControlPlane: true,
  templatePaths: controlPlanePaths,
  madeFrom: ["spec.version", ...controlPlanePaths],
};

const replacementReason = ({ pair: { before, after }, madeFrom }: Owner): string | undefined => {
  if (before === undefined) return undefined;
  const textOf = (object: KubeObject, path: string): string | undefined => JSON.stringify(valueAt(object, path));
  const changed = madeFrom.filter((path) => textOf(before, path) !== textOf(after, path));
  return changed.length === 0 ? undefined : `${changed.join(", ")} changed`;
};

/** Returns the object that a template would create. */
const fromTemplate = async ({ pair, cluster, templatePaths }: Owner, world: World): Promise<KubeObject | undefined> => {
  const { namespace = "", name = "" } = pair.after.metadata;
  const [reference] = templatePaths.flatMap((path) => readReference(pair.after, path) ?? []);
  const template = reference === undefined ? undefined : (await world.find(reference, namespace)).after;
  if (template === undefined) return undefined;
  return {
    apiVersion: template.apiVersion,
    kind: template.kind.replace(/Template$/, ""),
    metadata: { name: `${name}-*`, namespace, labels: { [Label.clusterName]: cluster } },
    spec: valueAt(template, "spec.template.spec"),
  };
};

const infrastructureOf = async (machine: KubeObject, world: World) => {
  const reference = readReference(machine, machineFields.infrastructureRefPath);
  const nothing = { before: undefined, after: undefined };
  return reference === undefined ? nothing : world.find(reference, machine.metadata.namespace ?? "");
};

/** Machines of an owner with a number of replicas. */
const planOwner = async (owner: Owner, world: World, clusters: InfraClusters): Promise<MachinePlan> => {
  const { pair, members, cluster } = owner;
  const { after } = pair;
  const namespace = after.metadata.namespace ?? "";
  const wanted = Number(valueAt(after, "spec.replicas") ?? 1);
  const reason = replacementReason(owner);
  const made = await fromTemplate(owner, world);
  const { after: infraCluster } = await clusters.of({ name: cluster, namespace }, made);
  const machines: PlannedObject[] = [];
  const items: PlanItemV1[] = [];
  for (const [index, machine] of members.entries()) {
    const { before } = await infrastructureOf(machine, world);
    const stays = index < wanted;
    const replaced = stays && reason !== undefined;
    const action = stays ? (replaced ? "replace" : "keep") : "delete";
    machines.push({ action, object: machine, count: 1, changes: [], ...(replaced && { note: reason }) });
    items.push({ before, after: stays ? (replaced ? made : before) : undefined, replaced, count: 1, infraCluster });
  }
  const added = wanted - members.length;
  if (added > 0) {
    const object = {
      apiVersion: apiVersionOf(MachineResource),
      kind: MachineResource.kind,
      metadata: { namespace, name: `${after.metadata.name ?? ""}-*` },
    };
    machines.push({ action: "create", object: object, count: added, changes: [] });
    items.push({ before: undefined, after: made, replaced: false, count: added, infraCluster });
  }
  const isNew = items.some(
    ({ after: next, before, replaced }) => next !== undefined && (before === undefined || replaced),
  );
  const { isControlPlane: leads } = owner;
  const maker = { owner: after, infrastructure: made, cluster, isControlPlane: leads };
  return { machines, items, makers: isNew ? [maker] : [] };
};

const joined = (plans: readonly MachinePlan[]): MachinePlan => ({
  machines: plans.flatMap(({ machines }) => machines),
  items: plans.flatMap(({ items }) => items),
  makers: plans.flatMap(({ makers }) => makers),
});

const isMember = (
  object: KubeObject,
  label: string,
  value: string | undefined,
  namespace: string | undefined,
): boolean => object.metadata.labels?.[label] === value && object.metadata.namespace === namespace;

/** MachineDeployments and MachineSets of their own. */
const setOwners = async (world: World, machines: readonly KubeObject[]): Promise<readonly Owner[]> => {
  const deployments = await world.list(MachineDeploymentResource);
  const sets = (await world.list(MachineSetResource)).filter(
    ({ after }) => after.metadata.labels?.[Label.deploymentName] === undefined,
  );
  const owner =
    (label: string) =>
    (pair: Pair): Owner => {
      const { name, namespace } = pair.after.metadata;
      const members = machines.filter((machine) => isMember(machine, label, name, namespace));
      return { pair, members, cluster: machineFields.clusterName.get(pair.after) ?? "", ...ofSets };
    };
  return [...deployments.map(owner(Label.deploymentName)), ...sets.map(owner(Label.setName))];
};

/** Control plane objects that Clusters refer to, and that make Machines. */
const controlPlaneOwners = async (
  world: World,
  clusters: readonly Pair[],
  machines: readonly KubeObject[],
): Promise<readonly Owner[]> => {
  const owners: Owner[] = [];
  for (const { after: cluster } of clusters) {
    const { name = "", namespace } = cluster.metadata;
    const reference = readReference(cluster, clusterFields.controlPlaneRefPath);
    const found = reference === undefined ? undefined : await world.find(reference, namespace ?? "");
    if (found?.after === undefined || valueAt(found.after, "spec.machineTemplate") === undefined) continue;
    const members = machines.filter(
      (machine) => isMember(machine, Label.clusterName, name, namespace) && isControlPlane(machine),
    );
    owners.push({ pair: { before: found.before, after: found.after }, members, cluster: name, ...ofControlPlanes });
  }
  return owners;
};

/** The infrastructure of MachinePools, which makes their Machines by itself. */
const planPools = async (world: World, clusters: InfraClusters): Promise<MachinePlan> => {
  const items: PlanItemV1[] = [];
  for (const { after: machinePool } of await world.list(MachinePoolResource)) {
    const reference = readReference(machinePool, poolFields.infrastructureRefPath);
    if (reference === undefined || isBeingDeleted(machinePool)) continue;
    const { namespace = "" } = machinePool.metadata;
    const found = await world.find(reference, namespace);
    const cluster = { name: poolFields.clusterName.get(machinePool) ?? "", namespace };
    const { after: infraCluster } = await clusters.of(cluster, found.after);
    items.push({ ...found, replaced: false, count: 1, infraCluster, machinePool });
  }
  return { machines: [], items, makers: [] };
};

/** Works out what becomes of every Machine, and of the infrastructure of Machines and Clusters. */
export const planMachines = async (world: World): Promise<MachinePlan> => {
  const pairs = await world.list(MachineResource);
  const present = pairs.flatMap(({ before, after }) => (before === undefined || isBeingDeleted(after) ? [] : [after]));
  const clusters = (await world.list(ClusterResource)).filter(({ after }) => !isBeingDeleted(after));
  const owners = [...(await setOwners(world, present)), ...(await controlPlaneOwners(world, clusters, present))];
  const plans: MachinePlan[] = [];
  const infra = infraClusters(world);
  for (const owner of owners) if (!isBeingDeleted(owner.pair.after)) plans.push(await planOwner(owner, world, infra));
  const owned = new Set(owners.flatMap(({ members }) => members));
  for (const { after } of pairs) {
    if (owned.has(after) || isBeingDeleted(after)) continue;
    const found = await infrastructureOf(after, world);
    const cluster = { name: machineFields.clusterName.get(after) ?? "", namespace: after.metadata.namespace ?? "" };
    const { after: infraCluster } = await infra.of(cluster, found.after);
    const maker = {
      owner: after,
      infrastructure: found.after,
      cluster: cluster.name,
      isControlPlane: isControlPlane(after),
    };
    const makers = found.before === undefined ? [maker] : [];
    plans.push({ machines: [], items: [{ ...found, replaced: false, count: 1, infraCluster }], makers });
  }
  plans.push(await planPools(world, infra));
  for (const { after } of clusters) {
    const reference = readReference(after, clusterFields.infrastructureRefPath);
    if (reference === undefined) continue;
    const found = await world.find(reference, after.metadata.namespace ?? "");
    plans.push({ machines: [], items: [{ ...found, replaced: false, count: 1, infraCluster: undefined }], makers: [] });
  }
  const beside = { replaced: false, count: 1, infraCluster: undefined, additional: true };
  const items = infra.additional().map((found) => ({ ...found, ...beside }));
  return joined([...plans, { machines: [], items, makers: [] }]);
};
