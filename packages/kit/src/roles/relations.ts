import { Label } from "@capstan/contract";
import {
  cluster as clusterFields,
  ClusterResource,
  MachineResource,
  clusterNameOf,
  isControlPlane,
  machine as machineFields,
  ownerOfKind,
  readReference,
} from "@capstan/contract/wire";
import type { Cache, IndexFunction } from "@capstan/kube";
import { keyOf, keyText } from "@capstan/kube-values";
import type { Request } from "@capstan/runtime";
import type { KubeObject, OwnerReference, Resource } from "@capstan/schema";

/** What an infrastructure machine or a bootstrap config hangs on. */
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

/** The owning Machine and its Cluster; `undefined` where there is none (yet, or any more). */
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
 * Whether an infrastructure machine belongs to the control plane: its owning Machine says so; its own label counts as well, since a
 * control-plane provider sets it on the clones.
 */
export const isControlPlaneMember = (cache: Cache, object: KubeObject): boolean => {
  if (isControlPlane(object)) return true;
  const machine = ownerIn(cache, object, MachineResource);
  return machine !== undefined && isControlPlane(machine);
};

/** The owning Cluster of an infrastructure cluster. */
export const owningCluster = (cache: Cache, object: KubeObject): KubeObject | undefined =>
  ownerIn(cache, object, ClusterResource);

/** The object behind `Cluster.spec.infrastructureRef`, if it is of the given kind. */
export const infraClusterOf = <C extends KubeObject>(
  cache: Cache,
  cluster: KubeObject | undefined,
  kind: Resource<C>,
): C | undefined => {
  if (cluster === undefined) return undefined;
  const request = referencedRequest(cluster, clusterFields.infrastructureRefPath, kind);
  return request === undefined ? undefined : cache.get(kind, request);
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
