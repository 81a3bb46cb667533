export { coreConverters } from "./conversion/core-converters.ts";
export { defaultObject } from "./defaults/default-object.ts";
export type { CoreProviderOptions } from "./options.ts";
export { createCoreProvider } from "./provider.ts";
export { validateObject } from "./validation/validate-object.ts";
