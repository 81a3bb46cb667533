export { KubeadmConfig } from "./api/kubeadm-config.v1beta2.ts";
export { KubeadmConfigV1Beta1 } from "./api/kubeadm-config.v1beta1.ts";
export { KubeadmConfigTemplate } from "./api/kubeadm-config-template.v1beta2.ts";
export { KubeadmConfigTemplateV1Beta1 } from "./api/kubeadm-config-template.v1beta1.ts";
