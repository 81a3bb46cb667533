export type { MetalProviderOptions } from "./options.ts";
export { createMetalProvider, createProvider } from "./provider.ts";
