import { Group, Label } from "@capstan/contract";
import { contractLabel } from "@capstan/contract/wire";

const provider = { [Label.provider]: "bootstrap-rke2-k3s" };

/** RKE2's kinds speak contract v1beta2 in both versions. */
const rke2 = {
  conversion: "webhook",
  labels: { ...provider, [contractLabel("v1beta2")]: "v1beta1_v1beta2" },
} as const;

/** Those of k3s speak contract v1beta1 in both versions, whatever the versions are called. */
const kthrees = {
  conversion: "webhook",
  labels: { ...provider, [contractLabel("v1beta1")]: "v1beta1_v1beta2" },
} as const;

/** Names that all versions of the kind share. */
export const rke2ConfigNames = {
  ...rke2,
  group: Group.bootstrap,
  kind: "RKE2Config",
  plural: "rke2configs",
  description: "Bootstraps one machine as a Node with RKE2.",
} as const;

export const rke2ConfigTemplateNames = {
  ...rke2,
  group: Group.bootstrap,
  kind: "RKE2ConfigTemplate",
  plural: "rke2configtemplates",
  description: "Template of RKE2Configs for a group of machines.",
} as const;

export const kthreesConfigNames = {
  ...kthrees,
  group: Group.bootstrap,
  kind: "KThreesConfig",
  plural: "kthreesconfigs",
  description: "Bootstraps one machine as a Node with k3s.",
} as const;

export const kthreesConfigTemplateNames = {
  ...kthrees,
  group: Group.bootstrap,
  kind: "KThreesConfigTemplate",
  plural: "kthreesconfigtemplates",
  description: "What the KThreesConfigs of a group of machines are made from.",
} as const;
