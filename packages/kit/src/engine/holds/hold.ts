import { createHash } from "node:crypto";
import type { ObjectKey } from "@capstan/kube-values";
import type { KubeObject, Resource } from "@capstan/schema";
import type { Environment } from "@capstan/runtime";
import type { KindAndObject } from "../kind-and-object.ts";
import type { ObjectRef } from "../uses/object-ref.ts";

/** The finalizers that keep an object for users of one kind. */
export interface HoldNames {
  /** The finalizer that a user puts on what it needs. Users of a kind may share one: it costs a single write for all of them. */
  readonly of: (user: ObjectKey) => string;
  /** Returns whether a finalizer is one of these, of whatever user and version: those no longer needed are removed. */
  readonly isOne: (finalizer: string) => boolean;
  /**
   * The finalizer by which another program would hold an object for the user, if it would: it stays while the user is there and not looked
   * after here.
   */
  readonly ofOthers?: (user: ObjectKey, held: ObjectKey) => string | undefined;
}

/** An object needed for a removal and therefore protected from deletion. `Context`: the input to find it. */
export interface Hold<Context = { readonly object: KubeObject }> {
  readonly kind: Resource;
  /** Asked in every reconcile; references without a namespace are in the object's. Those that do not exist are not waited for. */
  readonly of: (context: Context) => ObjectRef | readonly ObjectRef[] | undefined;
  /** Another object that names them: what it names in other namespaces is held once admission has seen that. */
  readonly namedBy?: (context: Context) => KindAndObject | undefined;
}

/** Declares which objects an author's objects hold. `Context`: the input to find them. */
export interface Holds<Context> {
  /**
   * Objects that removal needs in addition to the Secrets that `connect` reads, which are always held. A finalizer, set
   * before anything is created, keeps held objects until no object of the kind needs them. Only with a finalizer.
   */
  readonly holds?: readonly Hold<Context & { readonly environment: Pick<Environment, "cache"> }>[];
  /** Names of the finalizers on held objects of a kind. Default: `holdNamesOf(kind)`. */
  readonly holdNames?: ((held: Resource) => HoldNames | undefined) | undefined;
}

const prefix = "capstan.dev/held-by-";

/** Returns whether a finalizer keeps an object for users of some kind, unless it is named as others name theirs. */
export const isHoldFinalizer = (finalizer: string): boolean => finalizer.startsWith(prefix);

/** A segment of a finalizer behind its slash. */
const longest = 63;

const sharedFinalizer = ({ group, kind }: Pick<Resource, "group" | "kind">): string => {
  const user = group === "" ? kind.toLowerCase() : `${kind.toLowerCase()}.${group}`;
  const name = `held-by-${user}`;
  if (name.length <= longest) return `capstan.dev/${name}`;
  const digest = createHash("sha256").update(user).digest("hex").slice(0, 12);
  return `capstan.dev/held-by-${kind.toLowerCase().slice(0, 42)}-${digest}`;
};

/** One finalizer for all users of a kind: `capstan.dev/held-by-<kind>.<group>`. */
export const holdNamesOf = (kind: Pick<Resource, "group" | "kind">): HoldNames => {
  const shared = sharedFinalizer(kind);
  return { of: () => shared, isOne: (finalizer) => finalizer === shared };
};
