export { createProvider, createTinkerbellProvider } from "./provider.ts";
export { tinkerbellParts } from "./options.ts";
export type { DhcpServices, TinkerbellPart, TinkerbellProviderOptions, TinkerbellServices } from "./options.ts";
export { readDhcp } from "./dhcp/packet.ts";
export type { DhcpPacket } from "./dhcp/packet.ts";
