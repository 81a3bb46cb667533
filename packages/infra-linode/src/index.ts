export type { LinodeProviderOptions } from "./options.ts";
export { createLinodeProvider, createProvider } from "./provider.ts";
