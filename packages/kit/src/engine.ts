export type { Handled, LifeContext, ObjectContext, Waiting } from "./engine/author.ts";
export type { ObjectAuthor } from "./engine/object-author.ts";
export { holdNamesOf, isHoldFinalizer } from "./engine/holds/hold.ts";
export { OneByOne } from "./engine/one-by-one.ts";
export type { Hold, HoldNames } from "./engine/holds/hold.ts";
export { holdsAnnotation, isHolderOf } from "./engine/holds/hold-record.ts";
export { annotationMark, claimedByAnnotation, labelMark } from "./engine/uses/claim-mark.ts";
export type { ClaimMark } from "./engine/uses/claim-mark.ts";
export { claimed } from "./engine/uses/claimed.ts";
export type { Claims } from "./engine/uses/claimed.ts";
export type { Draft } from "./engine/uses/draft.ts";
export { ofAnyKind } from "./engine/uses/any-kind.ts";
export type { AnyKind } from "./engine/uses/any-kind.ts";
export { ownedSecrets } from "./engine/uses/owned-secrets.ts";
export type { OwnedSecrets } from "./engine/uses/owned-secrets.ts";
export { isGranted, whenLabelChanges } from "./engine/uses/namespace-grant.ts";
export type { NamespaceGrant } from "./engine/uses/namespace-grant.ts";
export { owned } from "./engine/uses/owned.ts";
export type { OwnedReads, OwnedWrites } from "./engine/uses/owned.ts";
export { ownedAnywhere } from "./engine/uses/owned-anywhere.ts";
export type { OwnedAnywhere } from "./engine/uses/owned-anywhere.ts";
export { referenced } from "./engine/uses/referenced.ts";
export type { ObjectRef } from "./engine/uses/object-ref.ts";
export type { Referenced, ReferencedWrites } from "./engine/uses/referenced.ts";
export type { AttachedUse, NoUses, Use, UsePlace, Uses, Using } from "./engine/uses/use.ts";
export { secretBytes, secretText } from "./engine/credentials.ts";
export { contractOfKind } from "./engine/kind-contract.ts";
export { managedObject } from "./engine/managed-object.ts";
export { observations } from "./engine/observation.ts";
export type { ObjectFacts, Observation } from "./engine/observation.ts";
export { openWritesAnnotation } from "./engine/open-writes.ts";
export { operationsAnnotation } from "./engine/operations.ts";
export type { Operations, OperationState } from "./engine/operations.ts";
export type { ObjectChanges } from "./engine/save/object-changes.ts";
export { ObjectSaver } from "./engine/save/object-saver.ts";
export { changesIn } from "./engine/triggers.ts";
export { marksIn, ownerIdAnnotation, ownerIn, ownerKey, ownerOf, ownerTag, ownerText } from "./engine/owner.ts";
export type { Owner } from "./engine/owner.ts";
export { logOwner, ownedByAnother, shownOwner } from "./engine/owned-by-another.ts";
export type { TakenThing } from "./engine/owned-by-another.ts";
export { peers } from "./engine/uses/peers.ts";
export type { Peers } from "./engine/uses/peers.ts";
export {
  adoptAnnotation,
  adopts,
  hasRecorded,
  howToAdopt,
  namedByIdReason,
  ownedCondition,
  trustedIds,
  trustedIdsLabel,
} from "./engine/named-by-id.ts";
export type { ThingById } from "./engine/named-by-id.ts";
export {
  epochKey,
  Installation,
  installationAnnotation,
  installationService,
  lacksEpoch,
  withEpoch,
  withoutEpochs,
} from "./engine/installation.ts";
export type { EpochMark, InstallationFacts } from "./engine/installation.ts";
