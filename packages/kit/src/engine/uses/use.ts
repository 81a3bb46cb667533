import type { PermissionV1 } from "@capstan/contract/v1";
import type { Cache } from "@capstan/kube";
import type { ReconcileContext, Request, Source } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import type { Identity } from "../identity.ts";
import type { SecretReader } from "../credentials.ts";
import type { Hold } from "../holds/hold.ts";
import type { KindAndObject } from "../kind-and-object.ts";

/** The reconcile in which related objects are used. */
export interface UsePlace {
  /** The object that uses them. */
  readonly object: KubeObject;
  readonly kind: Resource;
  readonly identity: Identity;
  readonly request: Request;
  readonly environment: ReconcileContext;
  readonly secrets: SecretReader;
  /** Notes a version that was read: while `connect` runs, the connection depends on it. */
  readonly note: (version: string) => void;
}

/** A use as one controller has it. */
export interface AttachedUse<Access> {
  /** Triggers that wake the objects that use it. */
  readonly sources: readonly Source[];
  /** Declares informers and indexes before the caches start. */
  prepare?(cache: Cache): void;
  /** The API for the verbs of one object. */
  open(place: UsePlace): Access;
  /** Related objects whose own references are followed as well. */
  follows?(object: KubeObject, cache: Cache): readonly KindAndObject[];
  /** The object is gone. */
  forget?(request: Request): void;
}

/**
 * A declared relation of objects of the kind `O` to others: made with `owned`, `referenced`, `claimed` and the like. From it come what is
 * watched, who is woken, what the role permits, and the `Access` that verbs have.
 */
export interface Use<Access, O extends KubeObject = KubeObject> {
  /** Phantom: never present at run time. */
  readonly User?: (object: O) => void;
  readonly permissions: readonly PermissionV1[];
  /** Objects protected from deletion while the user exists. */
  readonly holds?: readonly Hold[];
  /** `name`: under which it is declared. */
  attach(kind: Resource, name: string): AttachedUse<Access>;
}

/** Uses by name. */
export type Uses<O extends KubeObject = never> = Readonly<Record<string, Use<unknown, O>>>;

/** No related objects. */
export type NoUses = Readonly<Record<never, never>>;

/** The API of declared related objects for verbs. */
export interface Using<U> {
  readonly uses: { readonly [Name in keyof U]: U[Name] extends Use<infer Access, never> ? Access : never };
}
