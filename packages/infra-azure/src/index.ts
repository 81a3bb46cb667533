export type { AzureProviderOptions } from "./options.ts";
export { createAzureProvider, createProvider } from "./provider.ts";
