export { createProvider, createTinkerbellProvider } from "./provider.ts";
