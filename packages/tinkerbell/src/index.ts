export { createProvider, createTinkerbellProvider } from "./provider.ts";
export { tinkerbellParts } from "./options.ts";
export type { DhcpServices, TinkerbellPart, TinkerbellProviderOptions, TinkerbellServices } from "./options.ts";
