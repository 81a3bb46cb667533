export { KThreesConfig, KThreesConfigV1Beta1 } from "./api/kthrees-config.ts";
export { KThreesConfigTemplate, KThreesConfigTemplateV1Beta1 } from "./api/kthrees-config-template.ts";
export { RKE2Config } from "./api/rke2-config.v1beta2.ts";
export { RKE2ConfigV1Beta1 } from "./api/rke2-config.v1beta1.ts";
export { RKE2ConfigTemplate, RKE2ConfigTemplateV1Beta1 } from "./api/rke2-config-template.ts";
export type { RKE2ConfigSpec } from "./api/rke2-config.v1beta2.ts";
export type { KThreesConfigSpec } from "./api/kthrees-config.ts";
export {
  ConfigAnnotation,
  ConfigCondition,
  ConfigEvent,
  ConfigReason,
  keyAlgorithmAnnotation,
  pinAuthorityAnnotation,
} from "./api/conditions.ts";
