export { defaultOptions } from "./options.ts";
export type { BootstrapCompositeProviderOptions } from "./options.ts";
export { createBootstrapCompositeProvider, createProvider } from "./provider.ts";
