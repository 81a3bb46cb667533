import type { ClusterVerbContext } from "@capstan/kit/cluster";
import { Label } from "@capstan/contract";
import { ClusterResource, valueAt } from "@capstan/contract/wire";
import type { NamespaceGrant, peers, trustedIds } from "@capstan/kit/engine";
import { adopts } from "@capstan/kit/engine";
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
  readonly ids: ReturnType<typeof trustedIds>;
};

/** Context that the verbs of AzureClusters receive. */
export type ClusterContext = ClusterVerbContext<AzureCluster, AzureApi, AzureMachine, ClusterUses>;

/** The place of the object that a verb is about. */
export const placeIn = ({ additional, api, cluster, identity, object, uses }: ClusterContext): ClusterPlace => {
  const otherWithUid = (uid: string): string | undefined => {
    const other = uses.clusters.withUid(uid);
    return other && keyText(keyOf(other));
  };
  const rival = (): string | undefined => rivalOf({ identity, object, uses });
  return placeOf({ object, cluster, identity, subscription: api.subscription, additional, otherWithUid, rival });
};

/** Returns whether the status, which users do not write, says that the AzureCluster had its resources before, or an administrator trusts it. */
const isProven = (object: AzureCluster, ids: NamespaceGrant): boolean =>
  object.status?.ready === true || valueAt(object, "status.initialization.provisioned") === true || adopts(object, ids);

const groupOf = ({ metadata: { name = "" }, spec }: AzureCluster): string =>
  (spec?.resourceGroup ?? name).toLowerCase();

/** Where one says no subscription, it may be the other's. */
const isSameGroup = (a: AzureCluster, b: AzureCluster): boolean => {
  const [one, other] = [a, b].map(({ spec }) => spec?.subscriptionID?.toLowerCase() ?? "");
  return groupOf(a) === groupOf(b) && (one === other || one === "" || other === "");
};

const ownedBy = ({ metadata }: AzureCluster): string | undefined =>
  metadata.ownerReferences?.find(({ kind }) => kind === ClusterResource.kind)?.name ??
  metadata.labels?.[Label.clusterName];

/** Another AzureCluster of a Cluster of the same name, in another namespace, with the same resource group. */
const rivalOf = ({
  identity,
  object,
  uses,
}: Pick<ClusterContext, "identity" | "object" | "uses">): string | undefined => {
  if (isProven(object, uses.ids)) return undefined;
  const rival = uses.clusters
    .list()
    .find(
      (each) =>
        each.metadata.namespace !== object.metadata.namespace &&
        ownedBy(each) === identity.clusterName &&
        isSameGroup(each, object),
    );
  return rival && keyText(keyOf(rival));
};
