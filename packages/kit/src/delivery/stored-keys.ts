import type { KubeObject } from "@capstan/schema";
import { ownerOf } from "../engine/owner.ts";
import type { Owner } from "../engine/owner.ts";

/** Metadata of what is put into a store: the mark of the machine's object, which is the same after a move or a restore. */
export const storedOwner = "capstan-owner";

/** One object in a store. */
export interface StoredKey {
  readonly key: string;
  /** The mark that it must carry: its key alone does not say whose it is. Default: the key does. */
  readonly owner?: string;
}

const suffix = ".report";
const isUid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Where a machine's report is: no object of another namespace or name has this key, and a moved one keeps it. An id that is none was written by
 * a user, who chooses no place in a store by it.
 */
export const reportKeyOf = ({ id, mark }: Pick<Owner, "id" | "mark">): string =>
  `${isUid.test(id) ? `${id}.` : ""}${mark}${suffix}`;

/**
 * Keys under which the bootstrap data of an object may be: its uid, and what its record names where that was written under an earlier uid.
 * Users can write the record too, so such a key has to prove itself.
 */
export const dataKeysOf = (object: KubeObject, recorded: string): readonly StoredKey[] => {
  const own = { key: object.metadata.uid ?? "" };
  const isEarlier = recorded !== own.key && isUid.test(recorded);
  return isEarlier ? [own, { key: recorded, owner: ownerOf(object).mark }] : [own];
};

/** Keys under which the report of an object may be; the second is that of older releases. */
export const reportKeysOf = (object: KubeObject): readonly StoredKey[] => [
  { key: reportKeyOf(ownerOf(object)) },
  { key: `${object.metadata.uid ?? ""}${suffix}` },
];

/** Everything that a machine may have in a store whose record says so after it is gone: the uid of such a record is only a claim. */
export const keysLeftBy = (uid: string, owner: Pick<Owner, "id" | "mark"> | undefined): readonly StoredKey[] => {
  const claimed = [uid, `${uid}${suffix}`].map((key) => ({ key, owner: owner?.mark ?? "" }));
  return owner === undefined ? claimed : [...claimed, { key: reportKeyOf(owner) }];
};
