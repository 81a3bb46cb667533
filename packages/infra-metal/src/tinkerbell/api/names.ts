import { Group, Label } from "@capstan/contract";
import { contractLabel } from "@capstan/contract/wire";

const version = "v1beta1";

/** Fields that all Tinkerbell kinds of the provider share. */
export const tinkerbellKind = {
  group: Group.infrastructure,
  version,
  categories: ["cluster-api"],
  labels: {
    [Label.provider]: "infrastructure-tinkerbell",
    [contractLabel("v1beta1")]: version,
    [contractLabel("v1beta2")]: version,
  },
} as const;

/** JSON path of the label that names the Cluster, as printer columns write it. */
export const clusterNameColumn = {
  name: "Cluster",
  path: `.metadata.labels.${Label.clusterName.replaceAll(".", "\\.")}`,
} as const;
