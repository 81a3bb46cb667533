export type { Credentials, SecretRef } from "./engine/credentials.ts";
export type { Stage } from "./engine/stages.ts";
export type {
  Around,
  Handled,
  Identity,
  FreeItems,
  Inventory,
  Listed,
  LifeContext,
  ObjectAuthor,
  ObjectContext,
  OperationPolling,
  Pace,
  Provision,
  VerbContext,
  Waiting,
  Writing,
} from "./engine/author.ts";
export { standardConditions } from "./engine/conditions.ts";
export type { Conditions } from "./engine/author.ts";
export type { Verdict } from "./engine/conditions.ts";
export { SecretReader, secretBytes, secretText } from "./engine/credentials.ts";
export type { SecretBytes } from "./engine/credentials.ts";
export { failureOf } from "./engine/failures.ts";
export type { Failure } from "./engine/failures.ts";
export { contractOfKind } from "./engine/kind-contract.ts";
export { managedObject } from "./engine/managed-object.ts";
export { observations } from "./engine/observation.ts";
export type { ObjectFacts, Observation, Progress, Seen } from "./engine/observation.ts";
export { operationsAnnotation } from "./engine/operations.ts";
export type { Operation, Operations, OperationState } from "./engine/operations.ts";
export { LifeReason, stepReason } from "./engine/reasons.ts";
export type { FlushOptions, ObjectChanges } from "./engine/save/object-changes.ts";
export { ObjectSaver } from "./engine/save/object-saver.ts";
export type { ObjectSaverOptions } from "./engine/save/object-saver.ts";
export { StageTimes } from "./engine/stages.ts";
export type { Statement } from "./engine/stages.ts";
export { changesIn, ownObject } from "./engine/triggers.ts";
export { isIdentityTag } from "./engine/verb-context.ts";
export { measuredVerbs } from "./engine/verbs.ts";
export type { Verbs } from "./engine/verbs.ts";
export { WriteHolds } from "./engine/write-holds.ts";
export type { HeldWrite } from "./engine/write-holds.ts";
