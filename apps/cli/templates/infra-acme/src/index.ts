export type { AcmeProviderOptions } from "./options.ts";
export { createAcmeProvider, createProvider } from "./provider.ts";
