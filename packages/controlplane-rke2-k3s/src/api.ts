export { KThreesControlPlane, KThreesControlPlaneV1Beta1 } from "./api/kthrees-control-plane.ts";
export { KThreesControlPlaneTemplate } from "./api/kthrees-control-plane-template.ts";
export { RKE2ControlPlane } from "./api/rke2-control-plane.v1beta2.ts";
export { RKE2ControlPlaneV1Beta1 } from "./api/rke2-control-plane.v1beta1.ts";
export { RKE2ControlPlaneTemplate, RKE2ControlPlaneTemplateV1Beta1 } from "./api/rke2-control-plane-template.ts";
export type { RKE2ControlPlaneSpec } from "./api/rke2-control-plane.v1beta2.ts";
