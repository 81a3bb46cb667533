/** The parts of `metadata` that Capstan reads or writes. Times are RFC 3339 strings, exactly as on the wire. */
export interface ObjectMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
  readonly managedFields?: readonly unknown[];
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** Any Kubernetes object as plain JSON. Objects read from a cache are deeply frozen. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

/**
 * Where objects of one kind live in the API. Every `Kind` made by `kind()` is a `Resource`; kinds known only at run time
 * (referenced providers) are made with `resource()`. `T` is the static type of one object.
 */
export interface Resource<T extends KubeObject = KubeObject> {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Lower-case plural, as in URLs. */
  readonly plural: string;
  readonly namespaced: boolean;
  /** Phantom: never present at run time. */
  readonly Type?: T;
}

/** `group/version`, or `version` for the core group. */
export const apiVersionOf = (resource: Pick<Resource, "group" | "version">): string =>
  resource.group === "" ? resource.version : `${resource.group}/${resource.version}`;

/** A `Resource` for a kind that is known by name only. `namespaced` defaults to true. */
export const resource = <T extends KubeObject = KubeObject>(
  names: Omit<Resource<T>, "namespaced" | "Type"> & { readonly namespaced?: boolean },
): Resource<T> => Object.freeze({ namespaced: true, ...names });
