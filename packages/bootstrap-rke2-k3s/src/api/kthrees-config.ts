import { kind, object, optional, string, textField } from "@capstan/schema";
import { kthreesConfigSpec, olderKthreesConfigSpec } from "./kthrees-config-spec.ts";
import { kthreesConfigNames } from "./names.ts";
import { kthreesConfigReferences } from "./references.ts";
import { legacyStatus } from "./status-fields.ts";

const status = () =>
  object({
    ...legacyStatus,
    bootstrapData: optional(string({ description: "Unused.", format: "byte" })),
    dataSecretName: textField("Secret with the bootstrap data."),
  });

export const KThreesConfigV1Beta1 = kind({
  ...kthreesConfigNames,
  version: "v1beta1",
  storage: false,
  spec: optional(olderKthreesConfigSpec()),
  status: status(),
});

/** One KThreesConfig in API version v1beta1. */
export type KThreesConfigV1Beta1 = typeof KThreesConfigV1Beta1.Type;

export const KThreesConfig = kind({
  ...kthreesConfigNames,
  version: "v1beta2",
  references: kthreesConfigReferences,
  versions: [KThreesConfigV1Beta1],
  spec: optional(kthreesConfigSpec()),
  status: status(),
});

/** One KThreesConfig. */
export type KThreesConfig = typeof KThreesConfig.Type;
export type KThreesConfigSpec = NonNullable<KThreesConfig["spec"]>;
