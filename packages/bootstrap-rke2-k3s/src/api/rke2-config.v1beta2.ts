import { boolean, conditions, kind, object, optional, textField } from "@capstan/schema";
import { rke2ConfigNames } from "./names.ts";
import { rke2ConfigReferences } from "./references.ts";
import { rke2ConfigFields } from "./rke2-config-spec.ts";
import { RKE2ConfigV1Beta1 } from "./rke2-config.v1beta1.ts";
import { observedGeneration } from "./status-fields.ts";

export const RKE2Config = kind({
  ...rke2ConfigNames,
  version: "v1beta2",
  references: rke2ConfigReferences,
  versions: [RKE2ConfigV1Beta1],
  spec: optional(object(rke2ConfigFields())),
  status: object({
    conditions: optional(conditions({ maxItems: 32 })),
    dataSecretName: textField("Secret with the bootstrap data."),
    initialization: optional(
      object(
        { dataSecretCreated: optional(boolean({ description: "The bootstrap data exists." })) },
        { description: "What has been reached once.", minProperties: 1 },
      ),
    ),
    observedGeneration,
  }),
});

/** One RKE2Config. */
export type RKE2Config = typeof RKE2Config.Type;
export type RKE2ConfigSpec = NonNullable<RKE2Config["spec"]>;
