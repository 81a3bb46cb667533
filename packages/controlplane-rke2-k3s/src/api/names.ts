import { Group, Label } from "@capstan/contract";
import { contractLabel } from "@capstan/contract/wire";

const provider = { [Label.provider]: "controlplane-rke2-k3s" };

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

export const rke2ControlPlaneNames = {
  ...rke2,
  group: Group.controlPlane,
  kind: "RKE2ControlPlane",
  plural: "rke2controlplanes",
  description: "The servers of an RKE2 cluster.",
} as const;

export const rke2ControlPlaneTemplateNames = {
  ...rke2,
  group: Group.controlPlane,
  kind: "RKE2ControlPlaneTemplate",
  plural: "rke2controlplanetemplates",
  shortNames: ["rke2ct"],
  categories: ["cluster-api"],
  description: "Template of RKE2ControlPlanes for a ClusterClass.",
} as const;

export const kthreesControlPlaneNames = {
  ...kthrees,
  group: Group.controlPlane,
  kind: "KThreesControlPlane",
  plural: "kthreescontrolplanes",
  description: "The servers of a k3s cluster.",
} as const;

export const kthreesControlPlaneTemplateNames = {
  labels: { ...provider, [contractLabel("v1beta1")]: "v1beta2" },
  group: Group.controlPlane,
  kind: "KThreesControlPlaneTemplate",
  plural: "kthreescontrolplanetemplates",
  description: "What the KThreesControlPlanes of a ClusterClass are made from.",
} as const;
