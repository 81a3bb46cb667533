export { coreConverters } from "./conversion/core-converters.ts";
export { defaultObject } from "./defaults/default-object.ts";
export { knownRevisions } from "./machine-deployment/rollout-history.ts";
export type { RolloutRevision } from "./machine-deployment/rollout-history.ts";
export { currentMachineSet } from "./machine-deployment/template-match.ts";
export type { CoreProviderOptions } from "./options.ts";
export { createCoreProvider } from "./provider.ts";
export { validateObject } from "./validation/validate-object.ts";
