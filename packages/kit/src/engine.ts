export type { Credentials, SecretRef } from "./engine/credentials.ts";
export type { Stage } from "./engine/stages.ts";
export type {
  Around,
  ConnectContext,
  Handled,
  FreeItems,
  Inventory,
  Listed,
  LifeContext,
  ObjectContext,
  OperationPolling,
  VerbContext,
  Waiting,
  Writing,
} from "./engine/author.ts";
export type { Identity } from "./engine/identity.ts";
export type { AuthorOf, LifeTypes, ObjectAuthor, Pace, Provision } from "./engine/object-author.ts";
export { holdNamesOf, isHoldFinalizer } from "./engine/holds/hold.ts";
export { OneByOne } from "./engine/one-by-one.ts";
export type { Hold, HoldNames, Holds } from "./engine/holds/hold.ts";
export { holdsAnnotation, isHolderOf } from "./engine/holds/hold-record.ts";
export { annotationMark, claimedByAnnotation, labelMark } from "./engine/uses/claim-mark.ts";
export type { Claimant, ClaimMark, MarkOptions } from "./engine/uses/claim-mark.ts";
export { claimed } from "./engine/uses/claimed.ts";
export type { ClaimOptions, Claims, Sharing } from "./engine/uses/claimed.ts";
export type { Draft } from "./engine/uses/draft.ts";
export { ofAnyKind } from "./engine/uses/any-kind.ts";
export type { AnyKind, AnyKindOptions } from "./engine/uses/any-kind.ts";
export { ownedSecrets } from "./engine/uses/owned-secrets.ts";
export type { OwnedSecrets } from "./engine/uses/owned-secrets.ts";
export { isGranted, whenLabelChanges } from "./engine/uses/namespace-grant.ts";
export type { NamespaceGrant, NamespaceGrantOptions } from "./engine/uses/namespace-grant.ts";
export { owned } from "./engine/uses/owned.ts";
export type { OwnedReads, OwnedVerb, OwnedWrites } from "./engine/uses/owned.ts";
export { ownedAnywhere } from "./engine/uses/owned-anywhere.ts";
export type { OwnedAnywhere, UserLabels } from "./engine/uses/owned-anywhere.ts";
export { referenced } from "./engine/uses/referenced.ts";
export type { ObjectRef } from "./engine/uses/object-ref.ts";
export type { Referenced, ReferencedWrites } from "./engine/uses/referenced.ts";
export type { AttachedUse, NoUses, Use, UsePlace, Uses, Using } from "./engine/uses/use.ts";
export type { Conditions, Verdict } from "./engine/conditions.ts";
export { secretBytes, secretText } from "./engine/credentials.ts";
export type { SecretBytes } from "./engine/credentials.ts";
export type { Failure } from "./engine/failures.ts";
export { contractOfKind } from "./engine/kind-contract.ts";
export { managedObject } from "./engine/managed-object.ts";
export { observations } from "./engine/observation.ts";
export type { ObjectFacts, Observation, Progress, Seen } from "./engine/observation.ts";
export { openWritesAnnotation } from "./engine/open-writes.ts";
export { operationsAnnotation } from "./engine/operations.ts";
export type { Operation, Operations, OperationState } from "./engine/operations.ts";
export type { FlushOptions, ObjectChanges } from "./engine/save/object-changes.ts";
export { ObjectSaver } from "./engine/save/object-saver.ts";
export type { ObjectSaverOptions } from "./engine/save/object-saver.ts";
export type { Statement } from "./engine/stages.ts";
export { changesIn } from "./engine/triggers.ts";
export type { Verbs } from "./engine/verbs.ts";
export type { HeldWrite } from "./engine/write-holds.ts";
