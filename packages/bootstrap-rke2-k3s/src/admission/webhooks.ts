import type { KindWebhooksV1 } from "@capstan/contract/v1";
import * as api from "../api.ts";
import { converters } from "../conversion/converters.ts";
import { kthreesSpecRules } from "./kthrees-config.ts";
import { checkRke2Spec, defaultedRke2Spec, rke2ConfigWarnings } from "./rke2-config.ts";
import { type SpecRules, specWebhooks } from "./spec-webhooks.ts";

const rke2: SpecRules<api.RKE2ConfigSpec> = {
  complete: defaultedRke2Spec,
  check: checkRke2Spec,
  warnings: rke2ConfigWarnings,
};

/** Conversion, defaults and rules of all kinds. */
export const allWebhooks: readonly KindWebhooksV1[] = [
  specWebhooks(api.RKE2Config, "spec", rke2, converters),
  specWebhooks(api.RKE2ConfigTemplate, "spec.template.spec", rke2, converters),
  specWebhooks(api.KThreesConfig, "spec", kthreesSpecRules, converters),
  specWebhooks(api.KThreesConfigTemplate, "spec.template.spec", kthreesSpecRules, converters),
];
