export { defineProvider } from "./provider.ts";
export { eventPermissions, permission, watched } from "./shells/permissions.ts";
export type * from "./shells/author.ts";
export { isIdentityTag } from "./shells/verb-context.ts";
