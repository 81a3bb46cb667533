import { Label } from "@capstan/contract";
import {
  cluster as clusterFields,
  ClusterResource,
  MachinePoolResource,
  MachineResource,
  clusterNameOf,
  isControlPlane,
  machine as machineFields,
  machinePool as poolFields,
  ownerOfKind,
  readReference,
  SecretResource,
} from "@capstan/contract/wire";
import type { Cache, IndexFunction } from "@capstan/kube";
import { byText, keyOf, keyText } from "@capstan/kube-values";
import type { Request } from "@capstan/runtime";
import type { KubeObject, OwnerReference, Resource } from "@capstan/schema";

/** The objects that an infrastructure machine or a bootstrap config depends on. */
export interface Relations {
  readonly machine: KubeObject | undefined;
  readonly cluster: KubeObject | undefined;
}

/** Index of objects by `namespace/cluster name`; every role declares it under this name. */
export const clusterIndex = "kit/cluster";

export const clusterIndexOf: IndexFunction<KubeObject> = (object) => {
  const name = object.metadata.labels?.[Label.clusterName];
  return name === undefined ? [] : [keyText({ ...keyOf(object), name })];
};

/** The owner of a kind as it is in the cache: the same uid, or, after a restore, the same name. */
const ownerIn = (cache: Cache, object: KubeObject, resource: Resource): KubeObject | undefined => {
  const reference = ownerOfKind(object, resource);
  if (reference === undefined) return undefined;
  return cache.get(resource, { namespace: object.metadata.namespace ?? "", name: reference.name });
};

/** Returns the owning Machine and its Cluster; `undefined` if there is none. */
export const relationsOf = (cache: Cache, object: KubeObject): Relations => {
  const machine = ownerIn(cache, object, MachineResource);
  const clusterName =
    (machine === undefined ? undefined : machineFields.clusterName.get(machine)) ?? clusterNameOf(object);
  const cluster =
    clusterName === undefined
      ? undefined
      : cache.get(ClusterResource, { namespace: object.metadata.namespace ?? "", name: clusterName });
  return { machine, cluster };
};

/**
 * The version of a Machine's bootstrap Secret; `undefined` while it names none, or there is none. An input of what is
 * made from it: a write that was refused for what the Secret lacks is retried once that changes.
 */
export const bootstrapSecretVersion = (cache: Cache, machine: KubeObject): string | undefined => {
  const name = machineFields.dataSecretName.get(machine) ?? "";
  return name === "" ? undefined : cache.get(SecretResource, { ...keyOf(machine), name })?.metadata.resourceVersion;
};

/** A MachinePool as one of its machines. */
export const machineOfPool = (pool: KubeObject): KubeObject => ({
  apiVersion: pool.apiVersion,
  kind: pool.kind,
  metadata: pool.metadata,
  spec: poolFields.machineSpec.get(pool) ?? {},
});

/** The owning MachinePool. */
export const owningPool = (cache: Cache, object: KubeObject): KubeObject | undefined =>
  ownerIn(cache, object, MachinePoolResource);

/**
 * Returns whether an infrastructure machine belongs to the control plane: its owning Machine says so; its own label counts as well, since a
 * control-plane provider sets it on the clones.
 */
export const isControlPlaneMember = (cache: Cache, object: KubeObject): boolean => {
  if (isControlPlane(object)) return true;
  const machine = ownerIn(cache, object, MachineResource);
  return machine !== undefined && isControlPlane(machine);
};

/** The owning Cluster. */
export const owningCluster = (cache: Cache, object: KubeObject): KubeObject | undefined =>
  ownerIn(cache, object, ClusterResource);

/** Returns whether the Cluster refers to this infrastructure cluster. */
const isReferred = (cluster: KubeObject, object: KubeObject, kind: Resource): boolean =>
  referencedRequest(cluster, clusterFields.infrastructureRefPath, kind)?.name === object.metadata.name;

/**
 * Returns whether an infrastructure cluster stands beside the one that its Cluster refers to: Machines of other kinds than the control plane's have
 * their infrastructure in it.
 */
export const isAdditional = (cluster: KubeObject, object: KubeObject, kind: Resource): boolean =>
  readReference(cluster, clusterFields.infrastructureRefPath) !== undefined && !isReferred(cluster, object, kind);

/** The Cluster of an infrastructure cluster: its owner, or the one that the label of an additional one names. */
export const clusterOfInfra = (cache: Cache, object: KubeObject, kind: Resource): KubeObject | undefined => {
  const owner = owningCluster(cache, object);
  if (owner !== undefined) return owner;
  const name = clusterNameOf(object);
  if (name === undefined) return undefined;
  const named = cache.get(ClusterResource, { namespace: object.metadata.namespace ?? "", name });
  return named !== undefined && isAdditional(named, object, kind) ? named : undefined;
};

/** Infrastructure clusters of a kind that stand beside the one that the Cluster refers to, by their label; the same one first every time. */
const additionalOf = <C extends KubeObject>(cache: Cache, cluster: KubeObject, kind: Resource<C>): readonly C[] =>
  cache
    .byIndex(kind, clusterIndex, keyText(keyOf(cluster)))
    .filter((object) => isAdditional(cluster, object, kind))
    .toSorted((left, right) => byText(left.metadata.name ?? "", right.metadata.name ?? ""));

/** The infrastructure cluster of a kind that machines of the Cluster have: what the Cluster refers to, or an additional one. */
export const infraClusterOf = <C extends KubeObject>(
  cache: Cache,
  cluster: KubeObject | undefined,
  kind: Resource<C>,
): C | undefined => {
  if (cluster === undefined) return undefined;
  const request = referencedRequest(cluster, clusterFields.infrastructureRefPath, kind);
  return request === undefined ? additionalOf(cache, cluster, kind)[0] : cache.get(kind, request);
};

/** Requests for every infrastructure cluster of a kind that a Cluster has. */
export const infraClustersOf = (cache: Cache, cluster: KubeObject, kind: Resource): readonly Request[] => {
  const request = referencedRequest(cluster, clusterFields.infrastructureRefPath, kind);
  const additional = additionalOf(cache, cluster, kind).map((object) => keyOf(object));
  return request === undefined ? additional : [request, ...additional];
};

/** The request for what an object refers to, if that is of the given kind. */
export const referencedRequest = (object: KubeObject, path: string, kind: Resource): Request | undefined => {
  const reference = readReference(object, path);
  if (reference === undefined || reference.kind !== kind.kind || reference.apiGroup !== kind.group) return undefined;
  return { namespace: object.metadata.namespace ?? "", name: reference.name };
};

/** Stands for an owner that is gone already while its dependant is still being removed. */
export const vanished = (object: KubeObject, resource: Resource, reference?: OwnerReference): KubeObject => ({
  apiVersion: reference?.apiVersion ?? `${resource.group}/${resource.version}`,
  kind: resource.kind,
  metadata: {
    ...(object.metadata.namespace === undefined ? {} : { namespace: object.metadata.namespace }),
    name: reference?.name ?? object.metadata.labels?.[Label.clusterName] ?? "",
    ...(reference === undefined ? {} : { uid: reference.uid }),
  },
});
