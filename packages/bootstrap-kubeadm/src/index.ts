export { kubeadmConverters } from "./conversion/kubeadm-converters.ts";
export { defaultOptions } from "./options.ts";
export type { BootstrapKubeadmProviderOptions } from "./options.ts";
export { createBootstrapKubeadmProvider } from "./provider.ts";
