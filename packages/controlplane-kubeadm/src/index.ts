export { createControlplaneKubeadmProvider, createProvider } from "./provider.ts";
export type { ControlplaneKubeadmProviderOptions } from "./options.ts";
export {
  KubeadmControlPlane,
  KubeadmControlPlaneTemplate,
  KubeadmControlPlaneTemplateV1Beta1,
  KubeadmControlPlaneV1Beta1,
} from "./api.ts";
