export { createProvider, createTinkerbellProvider } from "./provider.ts";
export { tinkerbellParts } from "./options.ts";
export type { TinkerbellPart, TinkerbellProviderOptions, TinkerbellServices } from "./options.ts";
