import { createHmac, timingSafeEqual } from "node:crypto";
import type { KubeObject, Resource } from "@capstan/schema";
import { crossingReferences, rightsOf } from "./crossing.ts";

/** Annotation that only admission sets: that the writer of the object's references into other namespaces had the rights to them. */
export const admittedReferencesAnnotation = "capstan.dev/admitted-references";

const version = "v1";

const markFor = (
  key: Uint8Array,
  { group, kind }: Pick<Resource, "group" | "kind">,
  object: { readonly namespace: string; readonly name: string },
  rights: readonly string[],
): string => {
  const text = JSON.stringify([version, group, kind, object.namespace, object.name, ...rights]);
  return `${version}.${createHmac("sha256", key).update(text).digest("base64url")}`;
};

const isSame = (left: string, right: string): boolean => {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
};

/** The mark of an object as it is. One that has no name yet is marked for the beginning of its name. */
export const referenceMark = (key: Uint8Array, kind: Resource, object: KubeObject): string => {
  const { namespace = "", name = "", generateName = "" } = object.metadata;
  const known = { namespace, name: name === "" ? generateName : name };
  return markFor(key, kind, known, rightsOf(crossingReferences(kind, object)));
};

/** Returns whether the object has the mark of its references into other namespaces: those of today, and no others. */
export const hasReferenceMark = (key: Uint8Array, kind: Resource, object: KubeObject): boolean => {
  const { annotations, namespace = "", name = "", generateName = "" } = object.metadata;
  const mark = annotations?.[admittedReferencesAnnotation];
  if (mark === undefined) return false;
  const rights = rightsOf(crossingReferences(kind, object));
  const names = [name, ...(generateName !== "" && name.startsWith(generateName) ? [generateName] : [])];
  return names.some((each) => isSame(mark, markFor(key, kind, { namespace, name: each }, rights)));
};

/**
 * The object with a mark by another key, if it has one by the key `from`; otherwise the same object. For callers who bring objects to a management
 * API with a key of its own, and may write there without admission.
 */
export const carriedMark = <T extends KubeObject>(
  kind: Resource,
  object: T,
  { from, to }: { readonly from: Uint8Array; readonly to: Uint8Array },
): T => (hasReferenceMark(from, kind, object) ? withMark(object, referenceMark(to, kind, object)) : object);

/** The object with a mark, or without one; the same object where it is as it should be. */
export const withMark = <T extends KubeObject>(object: T, mark: string | undefined): T => {
  const { annotations = {} } = object.metadata;
  if (annotations[admittedReferencesAnnotation] === mark) return object;
  const { [admittedReferencesAnnotation]: _, ...others } = annotations;
  const marked = mark === undefined ? others : { ...others, [admittedReferencesAnnotation]: mark };
  return { ...object, metadata: { ...object.metadata, annotations: marked } };
};
