import { kind, object, optional } from "@capstan/schema";
import { v1beta2 } from "./generation.ts";
import { kubeadmConfigSpec } from "./kubeadm-config-spec.v1beta2.ts";
import { KubeadmConfigTemplateV1Beta1, templateMetadata } from "./kubeadm-config-template.v1beta1.ts";
import { kubeadmConfigTemplateNames } from "./names.ts";

export const KubeadmConfigTemplate = kind({
  ...kubeadmConfigTemplateNames,
  version: "v1beta2",
  versions: [KubeadmConfigTemplateV1Beta1],
  columns: [
    { name: "ClusterClass", path: '.metadata.ownerReferences[?(@.kind=="ClusterClass")].name' },
    { name: "Cluster", path: '.metadata.ownerReferences[?(@.kind=="Cluster")].name' },
    { name: "Age", path: ".metadata.creationTimestamp", type: "date" },
  ],
  spec: optional(
    object({
      template: object(
        { metadata: optional(templateMetadata(v1beta2)), spec: optional(kubeadmConfigSpec()) },
        { description: "The template.", ...v1beta2.object },
      ),
    }),
  ),
});

/** One KubeadmConfigTemplate. */
export type KubeadmConfigTemplate = typeof KubeadmConfigTemplate.Type;
