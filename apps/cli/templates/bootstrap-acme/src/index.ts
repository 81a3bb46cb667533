export type { BootstrapAcmeProviderOptions } from "./options.ts";
export { createBootstrapAcmeProvider, createProvider } from "./provider.ts";
