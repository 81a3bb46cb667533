import type { Meant } from "./requests.ts";

/** Differences of what the control plane provider answers to requests that are meant. */
export const controlPlaneRequestsMeant: Meant = [
  [
    /^KubeadmControlPlane \| no version$/,
    "the schema demands the field, which upstream's webhook has filled with an empty text by then",
    /"FieldValueRequired spec\.version"/,
  ],
  [
    /^KubeadmControlPlane(Template)? \| odd labels/,
    "each label that is wrong is named",
    /"ours":\{"refused":\["FieldValueInvalid /,
  ],
  [
    /^KubeadmControlPlane \| a surge of percent(, in the older version)?$/,
    "a percentage would count as 0: only the numbers 0 and 1 are taken",
    /^\{"upstream":\{"accepted"/,
  ],
  [
    /^KubeadmControlPlane \| no surge of one$/,
    "the field that is wrong is named, not its parent",
    /"ours":\{"refused":\["FieldValueRequired spec\.rollout\.strategy\.rollingUpdate\.maxSurge"\]\}/,
  ],
  [
    /^KubeadmControlPlane \| (a rollout after an odd time|an odd token)$/,
    "the field is named; upstream's webhook cannot read the object at all",
    /"upstream":\{"refused":\["kube\.bad_request"\]\}/,
  ],
  [
    /^KubeadmControlPlane \| an empty rollout before(, in the older version)?$/,
    "the schema refuses it; upstream's webhook has dropped it by then",
    /^\{"upstream":\{"accepted"/,
  ],
  [
    /^KubeadmControlPlane \| an external etcd later, afterwards$/,
    "the kind of etcd that was there is named",
    /"FieldValueForbidden spec\.kubeadmConfigSpec\.clusterConfiguration\.etcd\.local"/,
  ],
  [
    /^KubeadmControlPlane \| an odd image of DNS$/,
    "the path starts at the object",
    /"ours":\{"refused":\["FieldValueInvalid spec\.kubeadmConfigSpec\.clusterConfiguration\.dns\.imageTag"\]\}/,
  ],
  [
    /(joinConfiguration\.(nodeRegistration|discovery)|machineTemplate\.metadata)$/,
    "empty structures of the older version say the same as none",
    /"(ours|upstream)":"\{\}"/,
  ],
  [
    /^KubeadmControlPlane \| the older version with an odd duration(, in the newer version)?$/,
    "what is no duration counts as absent",
    /"kube\.unknown"|"ours"/,
  ],
];
