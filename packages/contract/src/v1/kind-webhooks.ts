import type { Cause, KubeObject, Resource } from "@capstan/schema";
import type { PermissionV1 } from "./permission.ts";

/**
 * Converts an object to another version of its kind: name, namespace and uid stay. `apiVersionOf` is the API version that a reference
 * without one means; it throws when there is no such kind. Throws when the object cannot be said in that version.
 */
export type ConvertV1 = (
  object: KubeObject,
  apiVersion: string,
  apiVersionOf: (group: string, kind: string) => string,
) => KubeObject;

/** The request that the object is part of. */
export interface AdmissionContextV1<T extends KubeObject = KubeObject> {
  /** The object before an update. */
  readonly old?: T;
  /** Reads from the management API, in the stored version; what is read must stand in `permissions`. */
  readonly find: <R extends KubeObject>(
    kind: Resource<R>,
    key: { readonly namespace?: string; readonly name: string },
  ) => Promise<R | undefined>;
}

/** An object with its defaults, and what its sender should hear; or why it cannot have what it asks for. */
export type DefaultedV1<T extends KubeObject = KubeObject> =
  | { readonly object: T; readonly warnings?: readonly string[] }
  | { readonly refused: string };

/**
 * Defaults, checks and conversions of a kind that its schema cannot express. The embedded server runs them in its own process, other
 * servers call a manager's webhooks. Objects of other versions are converted to the version of `kind` first. Nothing is changed in place.
 */
export interface KindWebhooksV1<T extends KubeObject = KubeObject> {
  /** One of the provider's kinds, in its stored version. */
  readonly kind: Resource<T>;
  /** Between any two versions. Without it only the stored version is served. */
  readonly convert?: ConvertV1;
  /** For a new or updated object, before its schema is checked: it may lack anything. Returns the same object when nothing is missing. */
  default?(object: T, context: AdmissionContextV1<T>): DefaultedV1<T> | Promise<DefaultedV1<T>>;
  /** Called for created, updated and scaled objects. Returns the reasons to reject it, or an empty list. */
  validate?(object: T, context: AdmissionContextV1<T>): readonly Cause[] | Promise<readonly Cause[]>;
  /** Other objects that `default` and `validate` read. */
  readonly permissions?: readonly PermissionV1[];
}
