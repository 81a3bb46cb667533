import { kubeadmConfigSpecV1Beta1 } from "@capstan/bootstrap-kubeadm/spec";
import { olderDeletionTimeouts, taints, templateMetadata, v1beta1 } from "@capstan/kit/machines";
import { kind, object, optional } from "@capstan/schema";
import { naming } from "./control-plane-parts.ts";
import { machineMetadata, remediationStrategy, rolloutFields } from "./kubeadm-control-plane.v1beta1.ts";
import { kubeadmControlPlaneTemplateNames } from "./names.ts";

export const KubeadmControlPlaneTemplateV1Beta1 = kind({
  ...kubeadmControlPlaneTemplateNames,
  version: "v1beta1",
  storage: false,
  deprecated: true,
  columns: [{ name: "Age", path: ".metadata.creationTimestamp", type: "date" }],
  spec: optional(
    object({
      template: object(
        {
          metadata: optional(templateMetadata(v1beta1, "Labels and annotations of the control planes.")),
          spec: object(
            {
              machineTemplate: optional(
                object(
                  {
                    metadata: optional(machineMetadata()),
                    taints: optional(taints()),
                    ...olderDeletionTimeouts,
                  },
                  { description: "What the Machines are made from." },
                ),
              ),
              kubeadmConfigSpec: kubeadmConfigSpecV1Beta1(),
              ...rolloutFields(),
              remediationStrategy: optional(remediationStrategy()),
              machineNamingStrategy: optional(naming(v1beta1)),
            },
            { description: "The control planes wanted." },
          ),
        },
        { description: "The template." },
      ),
    }),
  ),
});

/** One KubeadmControlPlaneTemplate in API version v1beta1. */
export type KubeadmControlPlaneTemplateV1Beta1 = typeof KubeadmControlPlaneTemplateV1Beta1.Type;
