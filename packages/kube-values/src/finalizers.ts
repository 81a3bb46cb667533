import type { KubeObject } from "@capstan/schema";

export const hasFinalizer = (object: KubeObject, finalizer: string): boolean =>
  object.metadata.finalizers?.includes(finalizer) === true;

/** The finalizers of an object with one added at the end. */
export const withFinalizer = (object: KubeObject, finalizer: string): readonly string[] =>
  hasFinalizer(object, finalizer)
    ? (object.metadata.finalizers ?? [])
    : [...(object.metadata.finalizers ?? []), finalizer];

/** The finalizers of an object without some. */
export const withoutFinalizers = (object: KubeObject, ...finalizers: readonly string[]): readonly string[] =>
  (object.metadata.finalizers ?? []).filter((finalizer) => !finalizers.includes(finalizer));

export const isBeingDeleted = (object: KubeObject): boolean => object.metadata.deletionTimestamp !== undefined;
