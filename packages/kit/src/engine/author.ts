import type { Clock, Logger, Random } from "@capstan/contract";
import type { ReconcileContext } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import type { Turn } from "../gate/turn.ts";
import type { Credentials, SecretReader, SecretRef } from "./credentials.ts";
import type { Identity } from "./identity.ts";
import type { KindAndObject } from "./kind-and-object.ts";
import type { OpenWrites, SentWrite } from "./open-writes.ts";
import type { Operation, Operations, OperationState } from "./operations.ts";
import type { ObjectChanges } from "./save/object-changes.ts";

/**
 * Context of every verb. Verbs never sleep, write to Kubernetes only through `uses`, and may be killed and called
 * again at any point.
 */
export interface VerbContext<O extends KubeObject, Api> {
  readonly object: O;
  readonly identity: Identity;
  readonly api: Api;
  readonly log: Logger;
  readonly clock: Clock;
  readonly random: Random;
  /**
   * Passed on to every outside call. `sent`: for clients that retry by themselves, to say which requests had no answer. `turn`: for
   * rate gates, by which they know the calls of one visit.
   */
  readonly call: { readonly signal: AbortSignal; readonly sent?: () => SentWrite; readonly turn?: Turn };
  /** Records a Kubernetes Event on the object. */
  event(event: { readonly type: "Normal" | "Warning"; readonly reason: string; readonly message: string }): void;
  /** Reads a Secret, `undefined` if missing. */
  readonly readSecret: (ref: SecretRef) => Promise<Credentials | undefined>;
}

/** Context before `connect`, for roles and authors of the engine; they pass their own authors a subset. */
export interface ObjectContext<O extends KubeObject> extends Omit<VerbContext<O, never>, "api"> {
  /** The changes of this reconcile to the object. */
  readonly changes: ObjectChanges<O>;
  /** The management API, its cache, services, and the rest that a reconcile has. */
  readonly environment: ReconcileContext;
  /** Reads Secrets once per version; a change of one wakes the objects that read it. */
  readonly secrets: SecretReader;
  /** Requests without an answer; see `OpenWrites`. */
  readonly openWrites: Pick<OpenWrites<O>, "accounted" | "isNoted" | "leftMs" | "sent">;
}

/** Context of a verb of the engine's author; `More` is the object's surroundings and related objects. */
export type LifeContext<O extends KubeObject, Api, More> = ObjectContext<O> & VerbContext<O, Api> & More;

/** Context of `connect`, in addition to the object's surroundings. Everything it reads here identifies the connection. */
export interface ConnectContext<O extends KubeObject> extends Omit<VerbContext<O, never>, "api"> {
  /** The Secret that `credentialsRef` references. */
  readonly credentials: Credentials | undefined;
  /** Reads further credentials. Throws `credentials.secret_missing`. */
  readonly credentialsOf: (ref: SecretRef) => Promise<Credentials>;
}

/** Additional context of verbs that write. */
export interface Writing {
  readonly operations: Operations;
}

/** Additional context of steps and `remove`. */
export interface Handled extends Writing {
  /** Identifier of the resource at the cloud: the observed handle, or `identity.tag`. */
  readonly handle: string;
}

/** Long-running calls of the outside world; see `Operations`. */
export interface OperationPolling<Context> {
  /** Asks what has become of an operation. Called before anything else is done, while one is saved. */
  readonly poll: (context: Context & { readonly operation: Operation }) => Promise<OperationState>;
  /** Time between two polls, where the state does not say it. Default 5 000. */
  readonly pollMs?: number;
}

/** Why nothing may be done yet. */
export interface Waiting {
  readonly reason: string;
  readonly message: string;
}

/** The objects that an object depends on, as found by one reconcile. */
export interface Around<More> {
  /** Holds the object still while it is paused. */
  readonly cluster?: KubeObject | undefined;
  readonly clusterName?: string | undefined;
  /**
   * Other inputs of writing verbs. A write that was rejected permanently is retried when one of them changes. Without
   * it nothing is held back.
   */
  readonly inputs?: readonly (KubeObject | string | undefined)[];
  /** Other objects whose references the verbs follow. */
  readonly follows?: readonly KindAndObject[];
  /** Becomes part of every verb's context. */
  readonly more: More;
}

/** The inventory as verbs see it. */
export interface Listed<Item> {
  /** The object's own thing, as it was last listed: `create` finds one where `observe` said absent of something that is there. */
  readonly item: Item | undefined;
  readonly inventory: FreeItems<Item>;
}

/** Things of the inventory that may be taken. */
export interface FreeItems<Item> {
  /**
   * Those that `isFree` says so of, in an order in which objects of this process do not contend for the same one. An object for which
   * there is none is woken when there is; until then, return `absent` with a reason.
   */
  free(): readonly Item[];
}

/** One list call that shows every thing of a credential; see `ObjectAuthor.inventory`. */
export interface Inventory<O extends KubeObject, Api, Item> {
  /** Objects of one scope share lists. Default: those whose `connect` read the same Secrets and objects, in the same versions. */
  readonly scope?: (input: { readonly object: O; readonly credentials: Credentials | undefined }) => string;
  readonly list: (input: {
    readonly api: Api;
    readonly call: { readonly signal: AbortSignal };
  }) => Promise<readonly Item[]>;
  /** Tags as texts, or by key: a thing is an object's if it carries `identity.tag`, or `identity.label`. */
  readonly tagsOf: (item: Item) => readonly string[] | Readonly<Record<string, string>>;
  /** Finds things whose object got another uid, when it was moved here: they are known by the provider id that the object records. */
  readonly providerIDOf?: (item: Item) => string | undefined;
  /** Free resources that may be claimed, for kinds that claim instead of create. */
  readonly isFree?: (item: Item) => boolean;
  /**
   * Deletes a thing that a list shows although its object was let go here, within the last hour: it came of a request without an answer.
   * Called with every list that shows it. Default: such things stay.
   */
  readonly removeLate?: (input: {
    readonly api: Api;
    readonly call: { readonly signal: AbortSignal };
    readonly item: Item;
  }) => Promise<void>;
  /** While any object of the scope is pending. */
  readonly pollMs: number;
  /** When all are settled. */
  readonly settledPollMs: number;
}
