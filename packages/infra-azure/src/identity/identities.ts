import { NamespaceResource } from "@capstan/contract/wire";
import { createHash } from "node:crypto";
import { Group } from "@capstan/contract";
import { watched } from "@capstan/kit";
import type { Hold, HoldNames, Use } from "@capstan/kit/engine";
import { requireAdmitted } from "@capstan/kit/admission";
import { keyOf, keyText } from "@capstan/kube-values";
import type { ObjectKey } from "@capstan/kube-values";
import { watchMapped } from "@capstan/runtime";
import { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import { AzureClusterIdentity } from "../api/azure-cluster-identity.v1beta1.ts";

const index = "azure/identity-of-cluster";

/** Where the identity of an AzureCluster is; without a namespace, in the cluster's. */
export const identityKey = ({
  metadata,
  spec,
}: AzureCluster): { readonly namespace: string; readonly name: string } | undefined => {
  const { name = "", namespace = "" } = spec?.identityRef ?? {};
  if (name === "") return undefined;
  return { name, namespace: namespace === "" ? (metadata.namespace ?? "") : namespace };
};

const identityFinalizerForm = new RegExp(
  `^azurecluster\\.${Group.infrastructure.replaceAll(".", "\\.")}/[0-9a-f]{56}$`,
);

/** By which an identity is kept while an AzureCluster needs it: a digest, since names would be too long. */
export const identityFinalizer = ({ name, namespace = "" }: ObjectKey): string => {
  const digest = createHash("sha224").update(`${namespace}-${name}`).digest("hex");
  return `azurecluster.${Group.infrastructure}/${digest}`;
};

/** The finalizers on identities, as upstream has them. */
export const identityHoldNames: HoldNames = {
  of: identityFinalizer,
  isOne: (finalizer) => identityFinalizerForm.test(finalizer),
  ofOthers: identityFinalizer,
};

/** Machines and pools need the identity for their own removal, too: also where their AzureCluster is removed by force. */
export const identityHold: Hold<{ readonly infraCluster: AzureCluster | undefined }> = {
  kind: AzureClusterIdentity,
  of: ({ infraCluster }) => infraCluster && identityKey(infraCluster),
};

/** The identities of AzureClusters, as verbs have them. */
export interface Identities {
  /** That of an AzureCluster; what is read here is part of what a connection was made from. */
  of(cluster: AzureCluster): AzureClusterIdentity | undefined;
  labelsOf(namespace: string): Readonly<Record<string, string>>;
  /** Throws `references.not_admitted` unless the Secret that an identity names may be read for it. */
  admitted(identity: AzureClusterIdentity): Promise<void>;
}

/** Identities that AzureClusters refer to. One that changes wakes its AzureClusters; `AzureMachine`s look again by themselves. */
export const identities = (): Use<Identities> => ({
  permissions: [watched(AzureClusterIdentity), watched(NamespaceResource)],
  attach: (user) => ({
    sources:
      user.kind === AzureCluster.kind
        ? [
            watchMapped(AzureClusterIdentity, (identity, { cache }) =>
              cache.byIndex(AzureCluster, index, keyText(keyOf(identity))).map((cluster) => keyOf(cluster)),
            ),
          ]
        : [],
    prepare: (cache) => {
      cache.informer(AzureClusterIdentity);
      cache.informer(NamespaceResource);
      if (user.kind !== AzureCluster.kind) return;
      cache.informer(AzureCluster).addIndex(index, (cluster) => {
        const key = identityKey(cluster);
        return key === undefined ? [] : [keyText(key)];
      });
    },
    open: ({ environment, note }) => {
      const { cache } = environment;
      const find = (cluster: AzureCluster): AzureClusterIdentity | undefined => {
        const key = identityKey(cluster);
        return key === undefined ? undefined : cache.get(AzureClusterIdentity, key);
      };
      return {
        of: (cluster) => {
          const found = find(cluster);
          note(`${AzureClusterIdentity.kind}@${found?.metadata.uid ?? "missing"}/${found?.metadata.generation ?? ""}`);
          return found;
        },
        admitted: (identity) => requireAdmitted(environment, AzureClusterIdentity, identity),
        labelsOf: (namespace) => cache.get(NamespaceResource, { name: namespace })?.metadata.labels ?? {},
      };
    },
  }),
});
