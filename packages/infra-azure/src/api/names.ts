import { Group, Label } from "@capstan/contract";
import { contractLabel } from "@capstan/contract/wire";

/** Properties that all kinds of the provider share. Their status has the shape of the `v1beta1` contract. */
export const azureKind = {
  group: Group.infrastructure,
  version: "v1beta1",
  categories: ["cluster-api"],
  labels: {
    [Label.provider]: "infrastructure-azure",
    [contractLabel("v1beta1")]: "v1beta1",
  },
} as const;

/** The column that names the Cluster. */
export const clusterColumn = {
  name: "Cluster",
  path: `.metadata.labels.${Label.clusterName.replaceAll(".", "\\.")}`,
} as const;

export const ageColumn = { name: "Age", path: ".metadata.creationTimestamp", type: "date" } as const;

/** On an AzureCluster: the Secret of the object store that takes bootstrap data too large for a machine's custom data. */
export const objectStoreAnnotation = "capstan.dev/object-store";
