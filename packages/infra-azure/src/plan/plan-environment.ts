import { Label } from "@capstan/contract";
import type { PlannedResourceV1 } from "@capstan/contract/v1";
import { ClusterResource, ownerOfKind } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import type { ArmCall } from "../arm/arm-client.ts";
import type { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import type { AzureApi } from "../cloud/azure-api.ts";
import type { ClusterPlace } from "../cluster/place.ts";
import { placeOf } from "../cluster/place.ts";

/** API client, call and cluster that an item is planned with. */
export interface PlanEnvironment {
  readonly api: AzureApi;
  readonly call: ArmCall;
  /** The AzureCluster that an item is, or belongs to. */
  readonly cluster: AzureCluster;
}

/** Planned resources of an item, and problems with it. */
export interface Planned {
  readonly resources: readonly PlannedResourceV1[];
  readonly problems: readonly string[];
}

/** By its label or its owner; one that is not there yet is mostly called as its Cluster is. */
const clusterNameOf = (cluster: AzureCluster, subject: KubeObject): string =>
  subject.metadata.labels?.[Label.clusterName] ??
  ownerOfKind(cluster, ClusterResource)?.name ??
  cluster.metadata.labels?.[Label.clusterName] ??
  cluster.metadata.name ??
  "";

/** Where at Azure the cluster of an item is. */
export const plannedPlace = (
  { api, cluster }: PlanEnvironment,
  subject: KubeObject,
  additional = false,
): ClusterPlace => {
  const clusterName = clusterNameOf(cluster, subject);
  const metadata = { name: clusterName, namespace: cluster.metadata.namespace ?? "" };
  return placeOf({
    object: cluster,
    cluster: { apiVersion: "", kind: ClusterResource.kind, metadata },
    identity: { clusterName, label: { key: "", value: "" } },
    subscription: api.subscription,
    additional,
  });
};
