import { clusterNameColumn } from "@capstan/contract/v1";
import { boolean, conditions, int64, kind, legacyConditions, object, optional } from "@capstan/schema";
import { v1beta2 } from "./generation.ts";
import { kubeadmConfigSpec } from "./kubeadm-config-spec.v1beta2.ts";
import { dataSecretName, KubeadmConfigV1Beta1, legacyFailure } from "./kubeadm-config.v1beta1.ts";
import { kubeadmConfigNames } from "./names.ts";

export const KubeadmConfig = kind({
  ...kubeadmConfigNames,
  version: "v1beta2",
  versions: [KubeadmConfigV1Beta1],
  columns: [
    clusterNameColumn,
    { name: "Paused", path: '.status.conditions[?(@.type=="Paused")].status', priority: 10 },
    { name: "Data secret created", path: ".status.initialization.dataSecretCreated" },
    { name: "Age", path: ".metadata.creationTimestamp", type: "date" },
  ],
  spec: optional(kubeadmConfigSpec()),
  status: object(
    {
      conditions: optional(conditions({ maxItems: 32 })),
      initialization: optional(
        object(
          {
            dataSecretCreated: optional(
              boolean({ description: "The bootstrap data exists. Never goes back to false." }),
            ),
          },
          { description: "Steps of the making that happened.", ...v1beta2.object },
        ),
      ),
      dataSecretName: optional(dataSecretName()),
      observedGeneration: optional(
        int64({ description: "Generation of the object that the status describes.", minimum: 1 }),
      ),
      deprecated: optional(
        object(
          {
            v1beta1: optional(
              object(
                { conditions: optional(legacyConditions()), ...legacyFailure },
                { description: "Fields of API version v1beta1." },
              ),
            ),
          },
          { description: "Fields of API versions before this one." },
        ),
      ),
    },
    { ...v1beta2.object },
  ),
});

/** One KubeadmConfig. */
export type KubeadmConfig = typeof KubeadmConfig.Type;

/** Spec of a KubeadmConfig. */
export type KubeadmConfigSpec = NonNullable<KubeadmConfig["spec"]>;
export type ClusterConfiguration = NonNullable<KubeadmConfigSpec["clusterConfiguration"]>;
export type InitConfiguration = NonNullable<KubeadmConfigSpec["initConfiguration"]>;
export type JoinConfiguration = NonNullable<KubeadmConfigSpec["joinConfiguration"]>;
