import type { ClusterVerbContext } from "@capstan/kit/cluster";
import type { peers } from "@capstan/kit/owner";
import { keyOf, keyText } from "@capstan/kube-values";
import type { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import type { AzureMachine } from "../api/azure-machine.v1beta1.ts";
import type { AzureApi } from "../cloud/azure-api.ts";
import type { identities } from "../identity/identities.ts";
import type { ClusterPlace } from "./place.ts";
import { placeOf } from "./place.ts";

export type ClusterUses = {
  readonly clusters: ReturnType<typeof peers<AzureCluster>>;
  readonly identities: ReturnType<typeof identities>;
};

/** What the verbs of AzureClusters receive. */
export type ClusterContext = ClusterVerbContext<AzureCluster, AzureApi, AzureMachine, ClusterUses>;

/** The place of the object that a verb is about. */
export const placeIn = ({ additional, api, cluster, identity, object, uses }: ClusterContext): ClusterPlace => {
  const otherWithUid = (uid: string): string | undefined => {
    const other = uses.clusters.withUid(uid);
    return other && keyText(keyOf(other));
  };
  return placeOf({ object, cluster, identity, subscription: api.subscription, additional, otherWithUid });
};
