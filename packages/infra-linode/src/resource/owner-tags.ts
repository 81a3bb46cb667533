import { createHash } from "node:crypto";
import { isIdentityTag } from "@capstan/kit";
import type { Identity } from "@capstan/kit/machine";
import type { NamespaceGrant, Owner, Peers, ThingById } from "@capstan/kit/engine";
import { adopts, hasRecorded, marksIn, ownerTag } from "@capstan/kit/engine";
import { keyOf, keyText } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";

/** Longest tag that the API takes. */
const maxTag = 50;
const namePrefix = "capstan-of=";
const hashLength = 12;

/**
 * Returns the prefix of a namespace's tags. A namespace whose name leaves no room for the slash gets a hash, which
 * tells it from others with the same beginning.
 */
const namespacePrefix = (namespace: string): string => {
  const plain = `${namePrefix}${namespace}/`;
  if (plain.length <= maxTag) return plain;
  const hash = createHash("sha256").update(namespace).digest("hex").slice(0, hashLength);
  // Names of namespaces have no dots, so that none is called like this.
  return `${plain.slice(0, maxTag - hashLength - 2)}.${hash}/`;
};

/** Tags that say whose a thing is: its mark, and for people, as far as there is room, namespace and name. */
export const ownerTags = (owner: Owner): readonly string[] => [
  ownerTag(owner),
  `${namespacePrefix(owner.namespace)}${owner.name}`.slice(0, maxTag),
];

/** Returns whether tags say in which namespace something is owned. */
export const isTaggedWithNamespace = (tags: readonly string[]): boolean =>
  tags.some((tag) => tag.startsWith(namePrefix));

/** Returns whether tags say that something is owned in a namespace. */
export const isTaggedFrom = (tags: readonly string[], namespace: string): boolean => {
  // Where there is room for more than a tag, the name is whole.
  const beginnings = [namespacePrefix(namespace), `${namePrefix}${namespace}/`];
  return tags.some((tag) => beginnings.some((beginning) => tag.startsWith(beginning)));
};

/** Who asks whose a thing is. */
export interface Claim {
  readonly identity: Pick<Identity, "owner" | "uid">;
  readonly kind: string;
  readonly peers: Pick<Peers<KubeObject>, "markedBy" | "withUid">;
  /** True if it is this object's where it says nothing of an owner that is there: see `isRecordedOrAdopted`. */
  readonly isOwnUnmarked: boolean;
}

/** Returns whether what has no mark is the object's own: its status has recorded that, or it adopts it. */
export const isRecordedOrAdopted = (
  object: KubeObject,
  thing: Pick<ThingById, "what">,
  trusted: NamespaceGrant,
): boolean => hasRecorded(object, thing) || adopts(object, trusted);

/** `theirs` without an owner: of an object of another management cluster. `nobody`: it has no mark, and is not the object's own. */
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

/** Returns whether tags name the uid of some object. */
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
