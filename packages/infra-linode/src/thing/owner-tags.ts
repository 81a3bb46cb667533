import { isIdentityTag } from "@capstan/kit";
import type { Identity } from "@capstan/kit/machine";
import type { NamespaceGrant } from "@capstan/kit/engine";
import { adopts, hasRecorded, marksIn, ownerTag } from "@capstan/kit/owner";
import type { Owner, Peers, ThingById } from "@capstan/kit/owner";
import { keyOf, keyText } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";

/** Longest tag that the API takes. */
const maxTag = 50;
const namePrefix = "capstan-of=";

/** Tags that say whose a thing is: its mark, and for people, as far as there is room, namespace and name. */
export const ownerTags = (owner: Owner): readonly string[] => [
  ownerTag(owner),
  `${namePrefix}${owner.namespace}/${owner.name}`.slice(0, maxTag),
];

/** Whether tags say that something is owned in a namespace. */
export const isTaggedFrom = (tags: readonly string[], namespace: string): boolean => {
  const beginning = `${namePrefix}${namespace}/`.slice(0, maxTag);
  return tags.some((tag) => tag.startsWith(beginning));
};

/** Who asks whose a thing is. */
export interface Claim {
  readonly identity: Pick<Identity, "owner" | "uid">;
  readonly kind: string;
  readonly peers: Pick<Peers<KubeObject>, "markedBy" | "withUid">;
  /** Whether it is this object's where it says nothing of an owner that is there: see `isRecordedOrAdopted`. */
  readonly isOwnUnmarked: boolean;
}

/** Whether what bears no mark is the object's own: its status has recorded that, or it adopts it. */
export const isRecordedOrAdopted = (
  object: KubeObject,
  thing: Pick<ThingById, "what">,
  trusted: NamespaceGrant,
): boolean => hasRecorded(object, thing) || adopts(object, trusted);

/** `theirs` without an owner: of an object of another management cluster. `nobody`: it bears no mark, and is not the object's own. */
export type Holder =
  | { readonly kind: "ours"; readonly isMarked: boolean }
  | { readonly kind: "theirs"; readonly owner: string | undefined }
  | { readonly kind: "nobody" };

const uid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The uid that a tag of an older release, or of upstream's controllers, names. */
const uidIn = (tag: string): string | undefined => {
  if (isIdentityTag(tag)) return tag.slice(tag.indexOf("=") + 1);
  return uid.test(tag) ? tag : undefined;
};

/** Whether tags name the uid of some object. */
export const hasUid = (tags: readonly string[]): boolean => tags.some((tag) => uidIn(tag) !== undefined);

const nameOf = (kind: string, object: KubeObject | undefined): string | undefined =>
  object && `${kind} ${keyText(keyOf(object))}`;

/** Whose a thing is that an object names by its id. */
export const holderOf = (tags: readonly string[], { identity, isOwnUnmarked, kind, peers }: Claim): Holder => {
  const marks = marksIn(tags);
  if (marks.includes(identity.owner.mark)) return { kind: "ours", isMarked: true };
  const [mark] = marks;
  if (mark !== undefined) {
    const name = tags.find((tag) => tag.startsWith(namePrefix))?.slice(namePrefix.length);
    return { kind: "theirs", owner: nameOf(kind, peers.markedBy(mark)) ?? (name && `${kind} ${name}`) };
  }
  const uids = tags.flatMap((tag) => uidIn(tag) ?? []);
  if (uids.includes(identity.uid)) return { kind: "ours", isMarked: false };
  const other = uids.map((each) => peers.withUid(each)).find(Boolean);
  if (other !== undefined) return { kind: "theirs", owner: nameOf(kind, other) };
  return isOwnUnmarked ? { kind: "ours", isMarked: false } : { kind: "nobody" };
};
