import { Label } from "@capstan/contract";
import type { PlanItemV1 } from "@capstan/contract/v1";
import {
  cluster as clusterFields,
  ClusterResource,
  machine as machineFields,
  MachineDeploymentResource,
  machinePool as poolFields,
  MachinePoolResource,
  MachineResource,
  MachineSetResource,
  readReference,
} from "@capstan/contract/wire";
import { isBeingDeleted } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import type { Trial } from "../up/apply.ts";
import { nameOf } from "../manifest/identity.ts";
import type { PlannedObject } from "./plan.ts";
import type { World } from "./world.ts";

/** Consequences of deleting objects, including dependents. */
export interface Removals {
  readonly objects: readonly PlannedObject[];
  readonly items: readonly PlanItemV1[];
  /** As the world has them: being deleted. */
  readonly trials: readonly Trial[];
}

/** Kinds that belong to Clusters and are deleted with them. */
const membersOfClusters = [MachineDeploymentResource, MachineSetResource, MachinePoolResource, MachineResource];

const placeOf = (namespace: string | undefined, name: string | undefined): string => `${namespace ?? ""}/${name ?? ""}`;

/** Returns whether an object goes because another does. */
const goesWith = (going: readonly KubeObject[]): ((object: KubeObject) => boolean) => {
  const placesOf = (kind: string): ReadonlySet<string> =>
    new Set(
      going.filter((object) => object.kind === kind).map(({ metadata }) => placeOf(metadata.namespace, metadata.name)),
    );
  const clusters = placesOf(ClusterResource.kind);
  const deployments = placesOf(MachineDeploymentResource.kind);
  const uids = new Set(going.map(({ metadata }) => metadata.uid));
  return (object) => {
    const { namespace, labels = {}, ownerReferences = [] } = object.metadata;
    return (
      clusters.has(placeOf(namespace, machineFields.clusterName.get(object))) ||
      (labels[Label.deploymentName] !== undefined &&
        deployments.has(placeOf(namespace, labels[Label.deploymentName]))) ||
      ownerReferences.some(({ uid, controller }) => controller === true && uids.has(uid))
    );
  };
};

/** The infrastructure that an object of a core kind refers to. */
const infrastructurePaths: Readonly<Record<string, string>> = {
  [ClusterResource.kind]: clusterFields.infrastructureRefPath,
  [MachineResource.kind]: machineFields.infrastructureRefPath,
  [MachinePoolResource.kind]: poolFields.infrastructureRefPath,
};

/** Plans the deletion of objects, in Kubernetes and at the cloud. `world` is the state before it. */
export const planRemovals = async (removed: readonly KubeObject[], world: World): Promise<Removals> => {
  if (removed.length === 0) return { objects: [], items: [], trials: [] };
  const isRemoved = new Set(removed.map(nameOf));
  const isMember = goesWith(removed);
  const members: KubeObject[] = [];
  for (const kind of membersOfClusters) {
    for (const { after } of await world.list(kind)) {
      if (!isRemoved.has(nameOf(after)) && !isBeingDeleted(after) && isMember(after)) members.push(after);
    }
  }
  const infraOf = async (object: KubeObject): Promise<KubeObject | undefined> => {
    const path = infrastructurePaths[object.kind];
    const reference = path === undefined ? undefined : readReference(object, path);
    return reference === undefined ? undefined : (await world.find(reference, object.metadata.namespace ?? "")).before;
  };
  const items: PlanItemV1[] = [];
  for (const object of [...removed, ...members]) {
    const isOfCore = infrastructurePaths[object.kind] !== undefined;
    const before = isOfCore
      ? await infraOf(object)
      : /(?:Machine|MachinePool|Cluster|Template)$/.test(object.kind)
        ? undefined
        : object;
    if (before === undefined) continue;
    const name = machineFields.clusterName.get(object);
    const reference = { apiGroup: ClusterResource.group, kind: ClusterResource.kind, name: name ?? "" };
    const cluster =
      name === undefined ? undefined : (await world.find(reference, object.metadata.namespace ?? "")).before;
    const infraCluster = cluster === undefined ? undefined : await infraOf(cluster);
    items.push({ before, after: undefined, replaced: false, count: 1, infraCluster });
  }
  const machines = members.filter(({ kind }) => kind === MachineResource.kind);
  return {
    objects: [...removed.map((object) => ({ ...deleted(object), note: "in no file" })), ...machines.map(deleted)],
    items,
    trials: [...removed, ...members].map(beingDeleted),
  };
};

const deleted = (object: KubeObject): PlannedObject => ({ action: "delete", object, count: 1, changes: [] });

const beingDeleted = (object: KubeObject): Trial => ({
  item: { object, source: "in no file" },
  before: object,
  after: { ...object, metadata: { ...object.metadata, deletionTimestamp: object.metadata.creationTimestamp ?? "" } },
  kept: [],
  warnings: [],
});
