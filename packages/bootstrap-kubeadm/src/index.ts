export { defaultOptions } from "./options.ts";
export type { BootstrapKubeadmProviderOptions } from "./options.ts";
export { createBootstrapKubeadmProvider, createProvider } from "./provider.ts";
