import { inTemplate, kind, object, optional } from "@capstan/schema";
import { kthreesConfigSpec, olderKthreesConfigSpec } from "./kthrees-config-spec.ts";
import { kthreesConfigTemplateNames } from "./names.ts";
import { kthreesConfigReferences } from "./references.ts";
import { templateMetadata } from "./rke2-config-spec.ts";

export const KThreesConfigTemplateV1Beta1 = kind({
  ...kthreesConfigTemplateNames,
  version: "v1beta1",
  storage: false,
  spec: optional(
    object({ template: object({ spec: optional(olderKthreesConfigSpec()) }, { description: "The template." }) }),
  ),
});

/** One KThreesConfigTemplate in API version v1beta1. */
export type KThreesConfigTemplateV1Beta1 = typeof KThreesConfigTemplateV1Beta1.Type;

export const KThreesConfigTemplate = kind({
  ...kthreesConfigTemplateNames,
  version: "v1beta2",
  references: inTemplate(kthreesConfigReferences),
  versions: [KThreesConfigTemplateV1Beta1],
  spec: optional(
    object({
      template: object(
        { metadata: optional(templateMetadata()), spec: optional(kthreesConfigSpec()) },
        { description: "The template." },
      ),
    }),
  ),
});

/** One KThreesConfigTemplate. */
export type KThreesConfigTemplate = typeof KThreesConfigTemplate.Type;
