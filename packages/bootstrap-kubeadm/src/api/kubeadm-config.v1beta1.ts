import { clusterNameColumn } from "@capstan/contract/v1";
import { boolean, conditions, int64, kind, legacyConditions, object, optional, text } from "@capstan/schema";
import { kubeadmConfigSpec } from "./kubeadm-config-spec.v1beta1.ts";
import { kubeadmConfigNames } from "./names.ts";

/** Failure fields of the first API generation. */
export const legacyFailure = {
  failureReason: optional(text(256, "Terminal failure in one word, for programs.")),
  failureMessage: optional(text(10_240, "Terminal failure, for people.")),
};

export const dataSecretName = () => text(253, "Secret with the bootstrap data.");

export const KubeadmConfigV1Beta1 = kind({
  ...kubeadmConfigNames,
  version: "v1beta1",
  storage: false,
  deprecated: true,
  columns: [clusterNameColumn, { name: "Age", path: ".metadata.creationTimestamp", type: "date" }],
  spec: optional(kubeadmConfigSpec()),
  status: object({
    ready: optional(boolean({ description: "The bootstrap data exists." })),
    dataSecretName: optional(dataSecretName()),
    ...legacyFailure,
    observedGeneration: optional(int64({ description: "Generation of the object that the status describes." })),
    conditions: optional(legacyConditions()),
    v1beta2: optional(
      object({ conditions: optional(conditions({ maxItems: 32 })) }, { description: "Fields of API version v1beta2." }),
    ),
  }),
});

/** One KubeadmConfig in API version v1beta1. */
export type KubeadmConfigV1Beta1 = typeof KubeadmConfigV1Beta1.Type;
