export { defaultTemplatesKey, defaultTemplatesName } from "./default-templates/default-templates.ts";
export { knownRevisions } from "./machine-deployment/rollout-history.ts";
export type { RolloutRevision } from "./machine-deployment/rollout-history.ts";
export { currentMachineSet } from "./rollout/template-match.ts";
export type { CoreProviderOptions } from "./options.ts";
export { createCoreProvider, createProvider } from "./provider.ts";
