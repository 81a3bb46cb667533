export { configCauses } from "./admission/config-causes.ts";
export { configWarnings } from "./admission/config-warnings.ts";
export type { Argument } from "./api/component.ts";
export type {
  ClusterConfiguration,
  InitConfiguration,
  JoinConfiguration,
  KubeadmConfigSpec,
} from "./api/kubeadm-config.v1beta2.ts";
export { kubeadmConfigSpec } from "./api/kubeadm-config-spec.v1beta2.ts";
export { kubeadmConfigSpec as kubeadmConfigSpecV1Beta1 } from "./api/kubeadm-config-spec.v1beta1.ts";
export { kubeadmConfigSpecShape } from "./conversion/kubeadm-config-spec.ts";
