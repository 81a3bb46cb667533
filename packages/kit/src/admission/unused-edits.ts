import type { DefaultedV1 } from "@capstan/contract/v1";
import { valueAt } from "@capstan/contract/wire";
import { isJsonObject, type KubeObject } from "@capstan/schema";

/** A field that is read once: a later edit is stored, and changes nothing. */
export interface ReadOnce<O extends KubeObject> {
  /** Such as `spec.region`. */
  readonly path: string;
  /** Returns whether it has been read. */
  readonly isRead: (old: O) => boolean;
  /** Why nothing follows from an edit, and what to do instead. */
  readonly because: string;
}

/** On objects: what is in use of fields that were edited too late, as JSON by their paths. */
export const valuesInUseAnnotation = "capstan.dev/values-in-use";

const text = (value: unknown): string => JSON.stringify(value ?? null);

/** Returns the values in use of fields that were edited too late, by path; empty if every edit took effect. */
export const valuesInUse = ({ metadata }: KubeObject): Readonly<Record<string, unknown>> => {
  const recorded = metadata.annotations?.[valuesInUseAnnotation];
  if (recorded === undefined) return {};
  try {
    const parsed: unknown = JSON.parse(recorded);
    return isJsonObject(parsed) ? parsed : {};
  } catch {
    // Users may write anything into annotations.
    return {};
  }
};

const withRecord = <O extends KubeObject>(object: O, inUse: Readonly<Record<string, unknown>>): O => {
  const { [valuesInUseAnnotation]: recorded, ...others } = object.metadata.annotations ?? {};
  const isNone = Object.keys(inUse).length === 0;
  const next = isNone ? undefined : text(inUse);
  if (recorded === next) return object;
  const annotations = next === undefined ? others : { ...others, [valuesInUseAnnotation]: next };
  return { ...object, metadata: { ...object.metadata, annotations } };
};

/**
 * For the `default` of a kind's webhooks: warns of edits that change nothing, and records in the annotation `capstan.dev/values-in-use`
 * what stays in use, so that it is seen later. An edit that is taken back takes the record along.
 */
export const unusedEdits = <O extends KubeObject>(
  object: O,
  old: O | undefined,
  fields: readonly ReadOnce<O>[],
): Extract<DefaultedV1<O>, { readonly object: O }> => {
  if (old === undefined) return { object };
  const before = valuesInUse(old);
  const inUse: Record<string, unknown> = {};
  const warnings: string[] = [];
  for (const { because, isRead, path } of fields) {
    const isRecorded = Object.hasOwn(before, path);
    if (!isRecorded && !isRead(old)) continue;
    const [was, is] = [valueAt(old, path), valueAt(object, path)];
    const used = isRecorded ? before[path] : was;
    if (text(used) === text(is)) continue;
    inUse[path] = used ?? null;
    if (text(was) !== text(is)) warnings.push(`${path} has no effect: ${text(used)} stays in use; ${because}`);
  }
  return { object: withRecord(object, inUse), ...(warnings.length > 0 && { warnings }) };
};
