export type { LinodeProviderOptions } from "./options.ts";
export { createLinodeProvider } from "./provider.ts";
