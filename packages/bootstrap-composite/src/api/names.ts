import { Label } from "@capstan/contract";
import { contractLabel } from "@capstan/contract/wire";

/** What both kinds have in common. */
export const names = {
  group: "bootstrap.capstan.dev",
  version: "v1alpha1",
  categories: ["cluster-api"],
  labels: {
    [Label.provider]: "bootstrap-composite",
    [contractLabel("v1beta1")]: "v1alpha1",
    [contractLabel("v1beta2")]: "v1alpha1",
  },
} as const;

/** JSON path of the label that names the Cluster, as printer columns write it. */
export const clusterNameColumn = {
  name: "Cluster",
  path: `.metadata.labels['${Label.clusterName.replaceAll(".", "\\.")}']`,
} as const;
