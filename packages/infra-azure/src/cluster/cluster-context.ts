import type { ClusterVerbContext } from "@capstan/kit/cluster";
import type { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import type { AzureMachine } from "../api/azure-machine.v1beta1.ts";
import type { AzureApi } from "../cloud/azure-api.ts";
import type { identities } from "../identity/identities.ts";
import type { ClusterPlace } from "./place.ts";
import { placeOf } from "./place.ts";

export type ClusterUses = { readonly identities: ReturnType<typeof identities> };

/** What the verbs of AzureClusters receive. */
export type ClusterContext = ClusterVerbContext<AzureCluster, AzureApi, AzureMachine, ClusterUses>;

/** The place of the object that a verb is about. */
export const placeIn = ({ additional, api, cluster, identity, object }: ClusterContext): ClusterPlace =>
  placeOf({ object, cluster, identity, subscription: api.subscription, additional });
