import { Group, Label } from "@capstan/contract";
import { contractLabel } from "@capstan/contract/wire";

const shared = {
  group: Group.controlPlane,
  categories: ["cluster-api"],
  conversion: "webhook",
  labels: {
    [Label.provider]: "control-plane-kubeadm",
    [contractLabel("v1beta1")]: "v1beta1",
    [contractLabel("v1beta2")]: "v1beta2",
  },
} as const;

/** Names that all versions of the kind share. */
export const kubeadmControlPlaneNames = {
  ...shared,
  kind: "KubeadmControlPlane",
  plural: "kubeadmcontrolplanes",
  shortNames: ["kcp"],
  description: "The control plane of a Cluster, on Machines that kubeadm makes Nodes.",
} as const;

export const kubeadmControlPlaneTemplateNames = {
  ...shared,
  kind: "KubeadmControlPlaneTemplate",
  plural: "kubeadmcontrolplanetemplates",
  description: "What the KubeadmControlPlanes of a class of Clusters are made from.",
} as const;

/** When a Machine that took too long to join lost its bootstrap token, in RFC 3339. */
export const joinRevokedAnnotation = "capstan.dev/join-revoked-at";
/** On such a Machine while its token is kept, because another server still joins with it. */
export const joinTokenKeptAnnotation = "capstan.dev/join-token-kept";
