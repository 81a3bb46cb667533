export type { Credentials, SecretRef } from "./engine/credentials.ts";
export type { Stage } from "./engine/stages.ts";
export type { Handled, OperationPolling, Waiting, Writing } from "./engine/author.ts";
export type { Identity } from "./engine/identity.ts";
export type { Operation, Operations, OperationState } from "./engine/operations.ts";
export type { ObjectFacts, Progress } from "./engine/observation.ts";
export { resource } from "./roles/resource/resource.ts";
export type {
  Difference,
  Found,
  ResourceAuthor,
  ResourceContext,
  ResourceSurroundings,
} from "./roles/resource/author.ts";
