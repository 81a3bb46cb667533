export type { CoreProviderOptions } from "./options.ts";
export { createCoreProvider } from "./provider.ts";
