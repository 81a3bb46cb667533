import { Group, Label } from "@capstan/contract";
import { contractLabel } from "@capstan/contract/wire";
import type { ValidationRule } from "@capstan/schema";

/** Fields shared by all kinds of the provider. */
export const linodeKind = {
  group: Group.infrastructure,
  version: "v1alpha2",
  categories: ["cluster-api"],
  labels: {
    [Label.provider]: "infrastructure-linode",
    [`visualizer.${Group.core}`]: "",
    [contractLabel("v1beta1")]: "v1alpha2",
    [contractLabel("v1beta2")]: "v1alpha2",
  },
} as const;

/** JSON path of the label that names the Cluster, as printer columns write it. */
export const clusterNameColumn = {
  name: "Cluster",
  path: `.metadata.labels.${Label.clusterName.replaceAll(".", "\\.")}`,
} as const;

/** The object's name becomes a label at Linode, whose length is limited. */
export const nameLength = (minimum: number, maximum: number): ValidationRule => ({
  rule: `size(self.metadata.name) >= ${minimum} && size(self.metadata.name) <= ${maximum}`,
  message: `metadata.name must have ${minimum} to ${maximum} characters`,
});

/** Instance labels have no doubled punctuation. */
export const instanceLabelRules: readonly ValidationRule[] = [
  {
    rule: "self.metadata.name.matches('^[[:alnum:]]([-_.[:alnum:]]+[[:alnum:]])*$')",
    message: "metadata.name must begin and end with a letter or digit",
  },
  {
    rule: "!self.metadata.name.contains('--') && !self.metadata.name.contains('__') && !self.metadata.name.contains('..')",
    message: "metadata.name must not contain --, __ or ..",
  },
];

/** Labels of VPCs have letters, digits and single hyphens. */
export const networkLabelRules: readonly ValidationRule[] = [
  {
    rule: "self.metadata.name.matches('^[-[:alnum:]]*$')",
    message: "metadata.name must have letters, digits and hyphens only",
  },
  { rule: "!self.metadata.name.contains('--')", message: "metadata.name must not contain --" },
];
