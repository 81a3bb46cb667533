import { byText } from "@capstan/kube-values";
import { isJsonObject, own } from "@capstan/schema";
import { decodeFields, emptySet, encodeFields, isEmptySet, union } from "./field-set.ts";
import type { FieldSet } from "./field-set.ts";

/** One entry of `metadata.managedFields` as on the wire. */
export interface ManagedFieldsEntry {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  /** RFC 3339. */
  readonly time?: string;
  readonly fieldsType: "FieldsV1";
  readonly fieldsV1: Readonly<Record<string, unknown>>;
  /** Absent on the main endpoint. */
  readonly subresource?: string;
}

/** An entry with its fields decoded. */
export interface Owner extends Omit<ManagedFieldsEntry, "fieldsType" | "fieldsV1"> {
  readonly fields: FieldSet;
}

/** Returns a key that distinguishes owners. An applier stays the same when it moves to another version. */
const ownerIdentity = ({ manager, operation, apiVersion, subresource = "" }: Omit<Owner, "fields">): string =>
  `${operation} ${operation === "Apply" ? "" : apiVersion} ${subresource} ${manager}`;

export const isSameOwner = (left: Omit<Owner, "fields">, right: Omit<Owner, "fields">): boolean =>
  ownerIdentity(left) === ownerIdentity(right);

/** The owners written in an object's metadata; malformed entries are ignored, doubled ones joined. */
export const decodeOwners = (managedFields: unknown): readonly Owner[] => {
  const owners = new Map<string, Owner>();
  for (const owner of Array.isArray(managedFields) ? managedFields.flatMap(decodeOwner) : []) {
    const identity = ownerIdentity(owner);
    const known = owners.get(identity);
    owners.set(identity, known === undefined ? owner : { ...known, fields: union(known.fields, owner.fields) });
  }
  return [...owners.values()];
};

const decodeOwner = (entry: unknown): readonly Owner[] => {
  if (!isJsonObject(entry)) {
    return [];
  }
  const text = (name: string): string => {
    const value = own(entry, name);
    return typeof value === "string" ? value : "";
  };
  const operation = text("operation");
  const fields = decodeFields(own(entry, "fieldsV1") ?? {});
  if ((operation !== "Apply" && operation !== "Update") || text("apiVersion") === "" || fields === undefined) {
    return [];
  }
  return [
    {
      manager: text("manager"),
      operation,
      apiVersion: text("apiVersion"),
      fields,
      ...(text("time") === "" ? {} : { time: text("time") }),
      ...(text("subresource") === "" ? {} : { subresource: text("subresource") }),
    },
  ];
};

/** The wire form: appliers first, then by time, manager, version and subresource; owners of nothing are left out. */
export const encodeOwners = (owners: readonly Owner[]): readonly ManagedFieldsEntry[] =>
  capUpdaters(owners.filter((owner) => !isEmptySet(owner.fields)))
    .toSorted(byOrder)
    .map(({ fields, time, subresource, ...identity }) => ({
      ...identity,
      ...(time === undefined ? {} : { time }),
      fieldsType: "FieldsV1",
      fieldsV1: encodeFields(fields),
      ...(subresource === undefined ? {} : { subresource }),
    }));

const sortKeys = ["operation", "time", "manager", "apiVersion", "subresource"] as const;

const byOrder = (left: Owner, right: Owner): number => {
  const key = sortKeys.find((name) => (left[name] ?? "") !== (right[name] ?? ""));
  return key === undefined ? 0 : byText(left[key] ?? "", right[key] ?? "");
};

const maxUpdaters = 10;
const ancientManager = "ancient-changes";

/** Joins the oldest updaters of each version into one entry when there are more than ten. */
const capUpdaters = (owners: readonly Owner[]): readonly Owner[] => {
  const updaters = owners.filter((owner) => owner.operation === "Update").toSorted(byOrder);
  const surplus = updaters.length - maxUpdaters;
  if (surplus <= 0) {
    return owners;
  }
  const oldest = updaters.slice(0, surplus + 1);
  const ancient = new Map<string, Owner>();
  for (const { apiVersion, time, fields } of oldest) {
    const joined = union(ancient.get(apiVersion)?.fields ?? emptySet, fields);
    ancient.set(apiVersion, {
      manager: ancientManager,
      operation: "Update",
      apiVersion,
      fields: joined,
      ...(time === undefined ? {} : { time }),
    });
  }
  return [...owners.filter((owner) => !oldest.includes(owner)), ...ancient.values()];
};
