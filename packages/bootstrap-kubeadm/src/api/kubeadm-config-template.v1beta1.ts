import { kind, map, object, optional, string } from "@capstan/schema";
import type { Generation } from "./generation.ts";
import { v1beta1 } from "./generation.ts";
import { kubeadmConfigSpec } from "./kubeadm-config-spec.v1beta1.ts";
import { kubeadmConfigTemplateNames } from "./names.ts";

/** Labels and annotations that a template hands to what is made from it. */
export const templateMetadata = (generation: Generation) =>
  object(
    {
      labels: optional(map(string({ description: "Value of the label." }), { description: "Labels to set." })),
      annotations: optional(
        map(string({ description: "Value of the annotation." }), { description: "Annotations to set." }),
      ),
    },
    { description: "Labels and annotations of the KubeadmConfigs.", ...generation.object },
  );

export const KubeadmConfigTemplateV1Beta1 = kind({
  ...kubeadmConfigTemplateNames,
  version: "v1beta1",
  storage: false,
  deprecated: true,
  columns: [{ name: "Age", path: ".metadata.creationTimestamp", type: "date" }],
  spec: optional(
    object({
      template: object(
        { metadata: optional(templateMetadata(v1beta1)), spec: optional(kubeadmConfigSpec()) },
        { description: "The template." },
      ),
    }),
  ),
});

/** One KubeadmConfigTemplate in API version v1beta1. */
export type KubeadmConfigTemplateV1Beta1 = typeof KubeadmConfigTemplateV1Beta1.Type;
