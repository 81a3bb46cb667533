import type { Identity } from "@capstan/kit/machine";
import type { ObjectStorageKey } from "@capstan/linode-client";
import type { LinodeObjectStorageKey } from "../api/linode-object-storage-key.v1alpha2.ts";
import { ownLabel } from "../cloud/labels.ts";
import type { KeyRecord } from "./key-record.ts";

/** Longest label that the API takes. */
const maxLabel = 50;
const markedName = 20;

type Named = Pick<Identity, "name" | "owner" | "uid">;

const markOf = ({ owner }: Named): string => `-${owner.mark}-`;

/** The label of a key: it names the object's uid, and its mark, which the object keeps when it is moved. */
export const keyLabel = ({ name, owner, uid }: Named): string =>
  ownLabel({ name: `${name.slice(0, markedName).replace(/[-_.]+$/, "")}-${owner.mark}`, uid }, maxLabel);

/**
 * Returns whether a key at Linode is the object's: by its label, or because the status says so. Users can write the Secret's record of a key too,
 * so it counts for a key that an older release labelled with the first uid of the object.
 */
export const isOwnKey = (
  key: Pick<ObjectStorageKey, "id" | "label">,
  {
    identity,
    object,
    record,
  }: {
    readonly identity: Named;
    readonly object: Pick<LinodeObjectStorageKey, "status">;
    readonly record: KeyRecord | undefined;
  },
): boolean => {
  const { name, owner, uid } = identity;
  if (key.label.includes(markOf(identity)) || key.label === ownLabel({ name, uid }, maxLabel)) return true;
  if (key.id === object.status?.accessKeyRef) return true;
  return key.id === record?.id && key.label === ownLabel({ name, uid: owner.id }, maxLabel);
};
