export { clonedKind, cloneTemplate } from "./external/clone-template.ts";
export type { TemplateBody } from "./external/clone-template.ts";
export { ExternalErrorCode } from "./external/error-codes.ts";
export { externalObjects } from "./external/external-objects.ts";
export type { ExternalKind, ExternalObject, ExternalObjects } from "./external/external-objects.ts";
