import type { Waiting } from "@capstan/kit/resource";
import type { ObjectRef } from "@capstan/kit/engine";
import type { KubeObject, ObjectReference } from "@capstan/schema";

/** A reference with a name; one without refers to nothing. */
export const namedObject = (ref: ObjectReference | undefined): ObjectRef | undefined => {
  const { name = "", namespace = "" } = ref ?? {};
  if (name === "") return undefined;
  return namespace === "" ? { name } : { name, namespace };
};

/** Returns the message for a reference to an object that does not exist. */
export const referenceMissing = (field: string, kind: string, { name }: ObjectRef): string =>
  `${field}: there is no ${kind} ${name}; create it`;

interface Thing extends KubeObject {
  readonly status?: { readonly ready?: boolean };
}

/** Result of following a reference: an id, or why there is none yet; `undefined` without a reference. */
export type Found = { readonly id: number } | { readonly waiting: Waiting } | undefined;

/** The id of a thing that another object refers to, or why there is none yet. */
export const readyId = <T extends Thing>(
  field: string,
  ref: ObjectRef,
  kind: string,
  thing: T | undefined,
  idOf: (thing: T) => number | undefined,
): { readonly id: number } | { readonly waiting: Waiting } => {
  const id = thing === undefined ? undefined : idOf(thing);
  if (thing !== undefined && id !== undefined && thing.status?.ready === true) return { id };
  const message =
    thing === undefined ? referenceMissing(field, kind, ref) : `${field}: waiting for ${kind} ${ref.name} to be ready`;
  return { waiting: { reason: thing === undefined ? `${kind}NotYetAvailable` : `${kind}Creating`, message } };
};
