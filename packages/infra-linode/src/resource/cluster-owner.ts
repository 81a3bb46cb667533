import { Label } from "@capstan/contract";
import { ownerReference } from "@capstan/contract/wire";
import { referenced } from "@capstan/kit/engine";
import type { ObjectRef, Referenced, Use } from "@capstan/kit/engine";
import type { KubeObject, OwnerReference } from "@capstan/schema";
import { LinodeCluster } from "../api/linode-cluster.v1alpha2.ts";

const clusterOf = ({ metadata }: KubeObject): ObjectRef | undefined => {
  const name = metadata.labels?.[Label.clusterName];
  return name === undefined || name === "" ? undefined : { name };
};

/** The LinodeCluster that an object is labelled with, by the name of its Cluster. */
export const labelledCluster = (): Use<Referenced<LinodeCluster>> => referenced(LinodeCluster, clusterOf);

/** Returns the cluster as owner, so that objects labelled with it are deleted with it, as in upstream. */
export const clusterOwner = (context: {
  readonly uses: { readonly cluster: Referenced<LinodeCluster> };
}): OwnerReference | undefined => {
  const cluster = context.uses.cluster.get();
  if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined) return undefined;
  return ownerReference(LinodeCluster, cluster, { controller: true, blockOwnerDeletion: true });
};
