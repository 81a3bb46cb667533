export { defineProvider } from "./provider.ts";
export { eventPermissions, permission, watched } from "./engine/permissions.ts";
export type * from "./roles/author.ts";
export { isIdentityTag } from "./engine/verb-context.ts";
