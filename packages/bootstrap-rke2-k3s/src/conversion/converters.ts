import { converterTable, fields } from "@capstan/kit/admission";
import * as api from "../api.ts";
import { kthreesConfigShape, kthreesConfigTemplateShape } from "./kthrees.ts";
import { rke2ConfigShape } from "./rke2.ts";

/** Converts the kinds between v1beta1 and v1beta2, by the names of their definitions. */
export const converters = converterTable([
  { older: api.RKE2ConfigV1Beta1, newer: api.RKE2Config, shape: rke2ConfigShape },
  {
    older: api.RKE2ConfigTemplateV1Beta1,
    newer: api.RKE2ConfigTemplate,
    shape: fields([], { newer: ["spec.template.metadata"] }),
  },
  { older: api.KThreesConfigV1Beta1, newer: api.KThreesConfig, shape: kthreesConfigShape },
  { older: api.KThreesConfigTemplateV1Beta1, newer: api.KThreesConfigTemplate, shape: kthreesConfigTemplateShape },
]);
