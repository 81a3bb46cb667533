import { inTemplate, kind, object, optional } from "@capstan/schema";
import { rke2ConfigTemplateNames } from "./names.ts";
import { rke2ConfigReferences } from "./references.ts";
import { rke2ConfigFields, templateMetadata } from "./rke2-config-spec.ts";

const specOfEach = () => object(rke2ConfigFields(), { description: "The spec of each." });

export const RKE2ConfigTemplateV1Beta1 = kind({
  ...rke2ConfigTemplateNames,
  version: "v1beta1",
  storage: false,
  spec: object({ template: object({ spec: specOfEach() }, { description: "The template." }) }),
});

/** One RKE2ConfigTemplate in API version v1beta1. */
export type RKE2ConfigTemplateV1Beta1 = typeof RKE2ConfigTemplateV1Beta1.Type;

export const RKE2ConfigTemplate = kind({
  ...rke2ConfigTemplateNames,
  version: "v1beta2",
  references: inTemplate(rke2ConfigReferences),
  metadataRequired: true,
  versions: [RKE2ConfigTemplateV1Beta1],
  spec: object({
    template: object({ metadata: optional(templateMetadata()), spec: specOfEach() }, { description: "The template." }),
  }),
});

/** One RKE2ConfigTemplate. */
export type RKE2ConfigTemplate = typeof RKE2ConfigTemplate.Type;
