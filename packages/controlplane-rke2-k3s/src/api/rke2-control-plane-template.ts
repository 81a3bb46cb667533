import { templateMetadata } from "@capstan/bootstrap-rke2-k3s/spec";
import { inTemplate, kind, object, optional } from "@capstan/schema";
import { rke2ControlPlaneTemplateNames } from "./names.ts";
import { rke2ControlPlaneReferences } from "./references.ts";
import { machineTemplate, rke2ControlPlaneFields } from "./rke2-control-plane-spec.ts";
import { olderRke2ControlPlaneSpec, olderRke2ControlPlaneStatus } from "./rke2-control-plane.v1beta1.ts";

const columns = [
  { name: "ClusterClass", path: '.metadata.ownerReferences[?(@.kind=="ClusterClass")].name' },
  { name: "Age", path: ".metadata.creationTimestamp", type: "date" },
] as const;

export const RKE2ControlPlaneTemplateV1Beta1 = kind({
  ...rke2ControlPlaneTemplateNames,
  version: "v1beta1",
  storage: false,
  statusSubresource: false,
  spec: optional(
    object({
      template: object(
        { metadata: optional(templateMetadata()), spec: olderRke2ControlPlaneSpec() },
        { description: "The template." },
      ),
    }),
  ),
  status: olderRke2ControlPlaneStatus(),
});

/** One RKE2ControlPlaneTemplate in API version v1beta1. */
export type RKE2ControlPlaneTemplateV1Beta1 = typeof RKE2ControlPlaneTemplateV1Beta1.Type;

export const RKE2ControlPlaneTemplate = kind({
  ...rke2ControlPlaneTemplateNames,
  version: "v1beta2",
  references: inTemplate(rke2ControlPlaneReferences),
  metadataRequired: true,
  versions: [RKE2ControlPlaneTemplateV1Beta1],
  columns,
  spec: object({
    template: object(
      {
        metadata: optional(templateMetadata({ minProperties: 1 })),
        spec: object(
          { ...rke2ControlPlaneFields(), machineTemplate: machineTemplate() },
          { description: "The spec of each." },
        ),
      },
      { description: "The template." },
    ),
  }),
});

/** One RKE2ControlPlaneTemplate. */
export type RKE2ControlPlaneTemplate = typeof RKE2ControlPlaneTemplate.Type;
