export { marksIn, ownerIdAnnotation, ownerIn, ownerKey, ownerOf, ownerTag, ownerText } from "./engine/owner.ts";
export type { Owner } from "./engine/owner.ts";
export { ownedByAnother, ownedByAnotherReason, shownOwner } from "./engine/owned-by-another.ts";
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
export type { EpochMark, InstallationFacts, InstallationOptions } from "./engine/installation.ts";
