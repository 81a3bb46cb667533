import { hasFinalizer, withFinalizer, withoutFinalizers } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";

/** The names by which an author holds its objects. */
interface Holder {
  readonly finalizer?: string | undefined;
  /** Those of older versions. */
  readonly oldFinalizers?: readonly string[];
}

const namesOf = ({ finalizer, oldFinalizers = [] }: Holder): readonly string[] =>
  finalizer === undefined ? oldFinalizers : [finalizer, ...oldFinalizers];

/** Returns whether the object still waits for the author, by whatever name. */
export const isHeld = (object: KubeObject, holder: Holder): boolean =>
  namesOf(holder).some((finalizer) => hasFinalizer(object, finalizer));

/** The finalizers of an object that the author holds by its present name only. */
export const heldFinalizers = (object: KubeObject, { finalizer, oldFinalizers = [] }: Holder): readonly string[] => {
  const finalizers = withoutFinalizers(object, ...oldFinalizers);
  if (finalizer === undefined) return finalizers;
  return withFinalizer({ ...object, metadata: { ...object.metadata, finalizers } }, finalizer);
};

/** The finalizers of an object that the author lets go. */
export const releasedFinalizers = (object: KubeObject, holder: Holder): readonly string[] =>
  withoutFinalizers(object, ...namesOf(holder));
