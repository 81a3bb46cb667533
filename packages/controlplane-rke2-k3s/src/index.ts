export { createControlplaneRke2K3sProvider, createProvider } from "./provider.ts";
export type { ControlplaneRke2K3sProviderOptions } from "./options.ts";
