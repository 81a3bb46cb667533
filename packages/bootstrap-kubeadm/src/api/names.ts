import { Group, Label } from "@capstan/contract";
import { contractLabel } from "@capstan/contract/wire";

const shared = {
  group: Group.bootstrap,
  categories: ["cluster-api"],
  conversion: "webhook",
  labels: {
    [Label.provider]: "bootstrap-kubeadm",
    [contractLabel("v1beta1")]: "v1beta1",
    [contractLabel("v1beta2")]: "v1beta2",
  },
} as const;

/** Names that all versions of the kind share. */
export const kubeadmConfigNames = {
  ...shared,
  kind: "KubeadmConfig",
  plural: "kubeadmconfigs",
  description: "How one machine is made a Node with kubeadm.",
} as const;

export const kubeadmConfigTemplateNames = {
  ...shared,
  kind: "KubeadmConfigTemplate",
  plural: "kubeadmconfigtemplates",
  description: "What the KubeadmConfigs of a group of machines are made from.",
} as const;
