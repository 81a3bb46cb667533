export { defaultOptions } from "./options.ts";
export type { BootstrapRke2K3sProviderOptions } from "./options.ts";
export { createBootstrapRke2K3sProvider, createProvider } from "./provider.ts";
