export type { BootstrapAuthor, BootstrapContext, BootstrapOutcome } from "./shells/author.ts";
export { ready, waiting } from "./shells/bootstrap-outcomes.ts";
export { secretBytes, secretText } from "./shells/credentials.ts";
export { dataSecretAvailable } from "./shells/bootstrap-reconciler.ts";
export { bootstrapConfig } from "./shells/bootstrap-shell.ts";
