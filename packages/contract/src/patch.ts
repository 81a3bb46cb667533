export { jsonPatch } from "./patch/json-patch.ts";
export { jsonPatchOf } from "./patch/json-patch-of.ts";
export type { JsonPatchOperation } from "./patch/json-patch-of.ts";
export { mergePatchOf } from "./patch/merge-patch-of.ts";
export { PatchError } from "./patch/patch-error.ts";
export type { PatchStatus } from "./patch/patch-error.ts";
export { mergePatch } from "./patch/strict-merge-patch.ts";
