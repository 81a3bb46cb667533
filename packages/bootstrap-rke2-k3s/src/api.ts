export { KThreesConfig, KThreesConfigV1Beta1 } from "./api/kthrees-config.ts";
export { KThreesConfigTemplate, KThreesConfigTemplateV1Beta1 } from "./api/kthrees-config-template.ts";
export { KThreesControlPlane, KThreesControlPlaneV1Beta1 } from "./api/kthrees-control-plane.ts";
export { KThreesControlPlaneTemplate } from "./api/kthrees-control-plane-template.ts";
export { RKE2Config } from "./api/rke2-config.v1beta2.ts";
export { RKE2ConfigV1Beta1 } from "./api/rke2-config.v1beta1.ts";
export { RKE2ConfigTemplate, RKE2ConfigTemplateV1Beta1 } from "./api/rke2-config-template.ts";
export { RKE2ControlPlane } from "./api/rke2-control-plane.v1beta2.ts";
export { RKE2ControlPlaneV1Beta1 } from "./api/rke2-control-plane.v1beta1.ts";
export { RKE2ControlPlaneTemplate, RKE2ControlPlaneTemplateV1Beta1 } from "./api/rke2-control-plane-template.ts";
export type { RKE2ConfigSpec } from "./api/rke2-config.v1beta2.ts";
export type { KThreesConfigSpec } from "./api/kthrees-config.ts";
export type { RKE2ControlPlaneSpec, RKE2ServerConfig } from "./api/rke2-control-plane.v1beta2.ts";
export {
  ConfigAnnotation,
  ConfigCondition,
  ConfigEvent,
  ConfigReason,
  keyAlgorithmAnnotation,
  pinAuthorityAnnotation,
} from "./api/conditions.ts";
