import {
  ClusterResource,
  MachinePoolResource,
  MachineResource,
  cluster as clusterFields,
  clusterNameOf,
  machine as machineFields,
  machinePool as poolFields,
  ownerOfKind,
  conditionOf,
} from "@capstan/contract/wire";
import { keyOf, keyText } from "@capstan/kube-values";
import type { Environment, Predicate, Request, Source } from "@capstan/runtime";
import { watchMapped } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import { changesIn } from "../engine/triggers.ts";
import { isClusterProvisioned } from "./infra-cluster/status.ts";
import { isControlPlaneInitialized } from "./control-plane-initialized.ts";
import { clusterIndex, clusterOfInfra, referencedRequest } from "./relations.ts";
import { MachineCondition } from "../machines/condition-names.ts";

/** Returns core's error for a Machine whose bootstrap config does not exist; `undefined` if it exists. */
export const missingConfig = (machine: KubeObject): string | undefined => {
  const ready = conditionOf(machine, MachineCondition.bootstrapConfigReady);
  return ready?.reason === "ObjectDoesNotExist" ? ready.message : undefined;
};

const generation = (object: KubeObject): unknown => object.metadata.generation;
const deletion = (object: KubeObject): unknown => object.metadata.deletionTimestamp;

/** The Machine: its spec, whether it has its Node and its infrastructure, and whether there is what its bootstrap data comes from. */
const machineChanged = changesIn(
  generation,
  deletion,
  (object) => machineFields.nodeName.get(object),
  (object) => machineFields.infrastructureProvisioned.get(object),
  missingConfig,
);

/** The Cluster: its spec (with pausing and endpoint) and what it waits for. */
export const clusterChanged = changesIn(
  generation,
  deletion,
  (object) => clusterFields.infrastructureProvisioned.get(object),
  isControlPlaneInitialized,
);

/** The MachinePool: its spec, and how many of its machines have their Node. */
const poolChanged = changesIn(generation, deletion, (object) => poolFields.nodeRefs.get(object)?.length);

const byReference = (
  owner: Resource,
  { kind, path }: { kind: Resource; path: string },
  when: Predicate<KubeObject>,
): Source =>
  watchMapped(
    owner,
    (object) => {
      const request = referencedRequest(object, path, kind);
      return request === undefined ? [] : [request];
    },
    { when },
  );

/** Requests for what a Machine refers to under a path. */
export const byMachine = (kind: Resource, path: string): Source =>
  byReference(MachineResource, { kind, path }, machineChanged);

/** Requests for what a MachinePool refers to under a path. */
export const byPool = (kind: Resource, path: string): Source =>
  byReference(MachinePoolResource, { kind, path }, poolChanged);

const membersOf = (environment: Environment, kind: Resource, clusterObject: KubeObject): readonly Request[] => {
  return environment.cache.byIndex(kind, clusterIndex, keyText(keyOf(clusterObject))).map((object) => keyOf(object));
};

/** Requests for all objects of a kind that belong to a Cluster. */
export const byCluster = (kind: Resource): Source =>
  watchMapped(ClusterResource, (object, environment) => membersOf(environment, kind, object), { when: clusterChanged });

/** Requests for all objects of a kind that belong to the Cluster of a control plane, whatever of that changes. */
export const byControlPlane = (kind: Resource, controlPlane: Resource): Source =>
  watchMapped(controlPlane, (object, environment) => {
    const name = clusterNameOf(object) ?? ownerOfKind(object, ClusterResource)?.name;
    if (name === undefined) return [];
    const value = keyText({ ...keyOf(object), name });
    return environment.cache.byIndex(kind, clusterIndex, value).map((each) => keyOf(each));
  });

/** An infrastructure cluster: its spec, and whether it is provisioned. */
export const infraClusterChanged = changesIn(generation, isClusterProvisioned);

/** Requests for all objects of a kind whose Cluster has this infrastructure cluster. */
export const byInfraCluster = (kind: Resource, infraCluster: Resource): Source =>
  watchMapped(
    infraCluster,
    (object, environment) => {
      const cluster = clusterOfInfra(environment.cache, object, infraCluster);
      return cluster === undefined ? [] : membersOf(environment, kind, cluster);
    },
    { when: infraClusterChanged },
  );
