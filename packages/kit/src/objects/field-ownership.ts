import { isJsonObject, type KubeObject } from "@capstan/schema";

/** Labels and annotations that are known not to come from a manager, so that their presence is nothing to take back. */
export interface KnownKeys {
  readonly labels: readonly string[];
  readonly annotations: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/** One entry of `metadata.managedFields`. */
export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: "Apply" | "Update";
  readonly subresource?: string;
  readonly fieldsV1?: Fields;
}

export const fieldOwnership = ({ metadata }: KubeObject): readonly ManagedFieldsEntry[] =>
  (metadata.managedFields ?? []) as readonly ManagedFieldsEntry[];

const below = (fields: unknown, key: string): Fields => {
  const found = isJsonObject(fields) ? fields[key] : undefined;
  return isJsonObject(found) ? found : {};
};

const entryOf = (
  entries: readonly ManagedFieldsEntry[],
  manager: string,
  operation: "Apply" | "Update",
): ManagedFieldsEntry | undefined =>
  entries.find(
    (entry) => entry.manager === manager && entry.operation === operation && (entry.subresource ?? "") === "",
  );

const saysLess = (fields: Fields, body: unknown): boolean =>
  Object.entries(fields).some(([path, inner]) => {
    if (!path.startsWith("f:")) return false;
    const value = isJsonObject(body) ? body[path.slice("f:".length)] : undefined;
    return value === undefined || (isJsonObject(inner) && saysLess(inner, value));
  });

/** Returns whether the manager's last apply said something that this one does not. */
export const takesBack = (entries: readonly ManagedFieldsEntry[], manager: string, body: KubeObject): boolean =>
  saysLess(entryOf(entries, manager, "Apply")?.fieldsV1 ?? {}, body);

/** A path without anything below it would mean the whole field. */
const filled = (fields: Readonly<Record<string, Fields>>): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, inner]) => Object.keys(inner).length > 0));

const split = (fields: Fields, known: readonly string[]): { readonly own: Fields; readonly others: Fields } => {
  const isOwn = ([path]: readonly [string, unknown]): boolean =>
    path.startsWith("f:") && !known.includes(path.slice("f:".length));
  const entries = Object.entries(fields);
  return {
    own: Object.fromEntries(entries.filter(isOwn)),
    others: Object.fromEntries(entries.filter((entry) => !isOwn(entry))),
  };
};

/**
 * The field ownership of an object that `manager` created plainly, as if it had applied the labels and annotations that it wrote then:
 * only so can it take them back. The same entries when there is nothing to change.
 */
export const asApplied = (
  entries: readonly ManagedFieldsEntry[],
  manager: string,
  known: KnownKeys,
): readonly ManagedFieldsEntry[] => {
  const created = entryOf(entries, manager, "Update");
  if (created === undefined || entryOf(entries, manager, "Apply") !== undefined) return entries;
  const { "f:labels": _labels, "f:annotations": _annotations, ...metadata } = below(created.fieldsV1, "f:metadata");
  const labels = split(below(below(created.fieldsV1, "f:metadata"), "f:labels"), known.labels);
  const annotations = split(below(below(created.fieldsV1, "f:metadata"), "f:annotations"), known.annotations);
  const withMetadata = (fields: Fields | undefined, more: Fields): Fields => ({
    ...fields,
    ...filled({ "f:metadata": more }),
  });
  const applied = filled({ "f:labels": labels.own, "f:annotations": annotations.own });
  const rest = { ...metadata, ...filled({ "f:labels": labels.others, "f:annotations": annotations.others }) };
  return [
    ...entries.filter((entry) => entry !== created),
    { ...created, operation: "Apply", fieldsV1: withMetadata({}, applied) },
    { ...created, fieldsV1: withMetadata(created.fieldsV1, rest) },
  ];
};
