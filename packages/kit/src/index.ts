export { defineProvider } from "./provider.ts";
export { eventPermissions, permission, watched } from "./engine/permissions.ts";
export { isIdentityTag } from "./engine/verb-context.ts";
export type * from "./engine/author.ts";
export type { ObjectFacts, Observation, Progress } from "./engine/observation.ts";
export type * from "./roles/bootstrap-author.ts";
export type * from "./roles/infra-cluster-author.ts";
export type * from "./roles/infra-machine-author.ts";
