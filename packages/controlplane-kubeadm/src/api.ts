export { KubeadmControlPlane } from "./api/kubeadm-control-plane.v1beta2.ts";
export { KubeadmControlPlaneV1Beta1 } from "./api/kubeadm-control-plane.v1beta1.ts";
export { KubeadmControlPlaneTemplate } from "./api/kubeadm-control-plane-template.v1beta2.ts";
export { KubeadmControlPlaneTemplateV1Beta1 } from "./api/kubeadm-control-plane-template.v1beta1.ts";
