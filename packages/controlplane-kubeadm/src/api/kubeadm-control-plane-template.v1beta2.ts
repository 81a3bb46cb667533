import { kubeadmConfigSpec } from "@capstan/bootstrap-kubeadm/spec";
import { taints, templateMetadata, v1beta2 } from "@capstan/kit/machines";
import { kind, object, optional } from "@capstan/schema";
import { naming } from "./control-plane-parts.ts";
import { KubeadmControlPlaneTemplateV1Beta1 } from "./kubeadm-control-plane-template.v1beta1.ts";
import { deletion, machineMetadata, remediation, rollout } from "./kubeadm-control-plane.v1beta2.ts";
import { kubeadmControlPlaneTemplateNames } from "./names.ts";

export const KubeadmControlPlaneTemplate = kind({
  ...kubeadmControlPlaneTemplateNames,
  version: "v1beta2",
  versions: [KubeadmControlPlaneTemplateV1Beta1],
  columns: [
    { name: "ClusterClass", path: '.metadata.ownerReferences[?(@.kind=="ClusterClass")].name' },
    { name: "Age", path: ".metadata.creationTimestamp", type: "date" },
  ],
  spec: optional(
    object({
      template: object(
        {
          metadata: optional(templateMetadata(v1beta2, "Labels and annotations of the control planes.")),
          spec: optional(
            object(
              {
                machineTemplate: optional(
                  object(
                    {
                      metadata: optional(machineMetadata()),
                      spec: optional(
                        object(
                          { deletion: optional(deletion()), taints: optional(taints()) },
                          { description: "The Machines wanted.", ...v1beta2.object },
                        ),
                      ),
                    },
                    { description: "What the Machines are made from.", ...v1beta2.object },
                  ),
                ),
                kubeadmConfigSpec: optional(kubeadmConfigSpec()),
                rollout: optional(rollout()),
                remediation: optional(remediation()),
                machineNaming: optional(naming(v1beta2)),
              },
              { description: "The control planes wanted.", ...v1beta2.object },
            ),
          ),
        },
        { description: "The template.", ...v1beta2.object },
      ),
    }),
  ),
});

/** One KubeadmControlPlaneTemplate. */
export type KubeadmControlPlaneTemplate = typeof KubeadmControlPlaneTemplate.Type;
