export { marksIn, ownerIdAnnotation, ownerIn, ownerKey, ownerOf, ownerTag, ownerText } from "./engine/owner.ts";
export type { Owner } from "./engine/owner.ts";
export { ownedByAnother, ownedByAnotherReason } from "./engine/owned-by-another.ts";
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
