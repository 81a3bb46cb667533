export { bound, granted, leaderElection, namedRole, role } from "./rbac/granted-roles.ts";
export type { PolicyRule, Subject } from "./rbac/granted-roles.ts";
export { mergePermissions } from "./rbac/merge-permissions.ts";
