export type { BootstrapAuthor, BootstrapContext, BootstrapOutcome } from "./roles/author.ts";
export { ready, waiting } from "./roles/bootstrap-outcomes.ts";
export { secretBytes, secretText } from "./engine/credentials.ts";
export { dataSecretAvailable } from "./roles/bootstrap-reconciler.ts";
export { bootstrapConfig } from "./roles/bootstrap-shell.ts";
