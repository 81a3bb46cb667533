import type { MergePatch } from "@capstan/contract/wire";
import { groupOf } from "@capstan/kube-values";
import type { KubeObject, Resource } from "@capstan/schema";

/** Annotation of an object: what it holds. It makes it one of the users of those objects, in every process. */
export const holdsAnnotation = "capstan.dev/holds";

/** One held object, without anything secret. */
export interface HeldRecord {
  /** `Kind`, or `Kind.group`. */
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** The Secret that the outside world is opened with. */
  readonly as?: "credentials";
  /** Its keys that are used. */
  readonly keys?: readonly string[];
}

export const kindName = ({ group, kind }: Pick<Resource, "group" | "kind">): string =>
  group === "" ? kind : `${kind}.${group}`;

/** By which held objects are told apart. */
export const heldId = ({ kind, name, namespace }: HeldRecord): string => `${kind}/${namespace}/${name}`;

const isRecord = (entry: unknown): entry is HeldRecord =>
  typeof entry === "object" &&
  entry !== null &&
  ["kind", "namespace", "name"].every((field) => typeof (entry as Record<string, unknown>)[field] === "string");

/** Returns the objects recorded as held; none if the annotation cannot be parsed. */
export const heldBy = ({ metadata }: KubeObject): readonly HeldRecord[] => {
  const text = metadata.annotations?.[holdsAnnotation];
  if (text === undefined) return [];
  try {
    const entries: unknown = JSON.parse(text);
    return Array.isArray(entries) ? entries.filter(isRecord) : [];
  } catch {
    // Someone wrote over it; the next reconcile writes it again.
    return [];
  }
};

/** Returns whether an object says that it holds another. */
export const isHolderOf = (user: KubeObject, held: KubeObject): boolean => {
  const { name, namespace = "" } = held.metadata;
  const kind = kindName({ group: groupOf(held.apiVersion), kind: held.kind });
  return heldBy(user).some((record) => heldId(record) === heldId({ kind, namespace, name: name ?? "" }));
};

/** Returns whether the object has been written by an engine that keeps these records. */
export const hasRecord = ({ metadata }: KubeObject): boolean => metadata.annotations?.[holdsAnnotation] !== undefined;

/** The merge patch that records what an object holds. */
export const recordPatch = (object: KubeObject, held: readonly HeldRecord[]): MergePatch => {
  if (held.length === 0 && !hasRecord(object)) return {};
  return { metadata: { annotations: { [holdsAnnotation]: held.length === 0 ? null : JSON.stringify(held) } } };
};
