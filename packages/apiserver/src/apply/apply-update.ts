import { isJsonObject, type KubeObject, sameJson } from "@capstan/schema";
import type { StructuralSchema } from "@capstan/schema/structural";
import { compare } from "./compare.ts";
import type { Changes } from "./compare.ts";
import { difference, emptySet, equalSets, isEmptySet, union } from "./field-set.ts";
import { decodeOwners, encodeOwners, isSameOwner } from "./managed-fields.ts";
import type { ManagedFieldsEntry, Owner } from "./managed-fields.ts";
import { ownable } from "./ownership.ts";
import type { Endpoint } from "./ownership.ts";

/** Who writes, when and where. */
export interface Write extends Endpoint {
  readonly schema: StructuralSchema | undefined;
  readonly manager: string;
  /** The version the request speaks, such as `apps/v1`. */
  readonly apiVersion: string;
  /** RFC 3339. */
  readonly time: string;
}

/**
 * `metadata.managedFields` after a plain write (create, PUT, any patch but apply). The writer owns what the write added or
 * changed, everybody else loses what was changed or removed. An update may also set managedFields itself: `[{}]`
 * clears them, and they stay empty until the next apply; an empty list leaves them as they are, as a client that knows nothing of them
 * sends it.
 */
export const applyUpdate = (
  write: Write & {
    /** Absent for a create. */
    readonly live?: KubeObject | undefined;
    readonly updated: KubeObject;
  },
): readonly ManagedFieldsEntry[] => {
  const { live, updated, schema } = write;
  const owners = formerOwners(live, updated, write.subresource);
  if (live !== undefined && owners.length === 0) {
    return [];
  }
  return encodeOwners(ownersAfterUpdate(owners, compare(live, updated, schema), write));
};

/** The owners before the write: the client's own list when it sent a readable one to the main endpoint. */
const formerOwners = (
  live: KubeObject | undefined,
  updated: KubeObject,
  subresource: string | undefined,
): readonly Owner[] => {
  const kept = decodeOwners(live?.metadata.managedFields);
  const sent = updated.metadata.managedFields;
  if (live === undefined || (subresource ?? "") !== "" || !Array.isArray(sent)) {
    return kept;
  }
  const isReset = sent.length === 1 && isJsonObject(sent[0]) && sameJson(sent[0], {});
  const given = decodeOwners(sent);
  return isReset || given.length > 0 ? given : kept;
};

/** Moves ownership after a change that `write` made. */
export const ownersAfterUpdate = (owners: readonly Owner[], changes: Changes, write: Write): readonly Owner[] => {
  const { manager, apiVersion, time, subresource } = write;
  const written = union(changes.added, changes.modified);
  const lost = union(written, changes.removed);
  const self: Omit<Owner, "fields"> = {
    manager,
    operation: "Update",
    apiVersion,
    time,
    ...(subresource === undefined || subresource === "" ? {} : { subresource }),
  };
  const before = owners.find((owner) => isSameOwner(owner, self));
  const fields = union(difference(before?.fields ?? emptySet, changes.removed), ownable(written, write));
  const unchanged = before !== undefined && equalSets(before.fields, fields);
  return [
    ...owners
      .filter((owner) => owner !== before)
      .map((owner) => (isEmptySet(lost) ? owner : { ...owner, fields: difference(owner.fields, lost) })),
    unchanged ? before : { ...self, fields },
  ];
};
