import type { PermissionV1 } from "@capstan/contract/v1";
import type { MergePatch } from "@capstan/contract/wire";
import type { Cache } from "@capstan/kube";
import type { Source } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import type {
  Around,
  ConnectContext,
  Handled,
  Inventory,
  LifeContext,
  Listed,
  ObjectContext,
  OperationPolling,
  Waiting,
  Writing,
} from "./author.ts";
import type { Conditions } from "./conditions.ts";
import type { SecretRef } from "./credentials.ts";
import type { ObjectFacts, Observation, Seen } from "./observation.ts";
import type { Holds } from "./holds/hold.ts";
import type { Operation } from "./operations.ts";
import type { ObjectChanges } from "./save/object-changes.ts";
import type { Stage } from "./stages.ts";
import type { NoUses, Uses, Using } from "./uses/use.ts";

/** Declares that objects of a role are built once and used by others from then on. */
export interface Provision<O extends KubeObject, Facts> {
  /** Returns whether it has been built before. */
  readonly is: (object: O) => boolean;
  /** Returns whether it was made before, finished or not: it is never made again, and its absence is an error. */
  readonly wasCreated?: (object: O) => boolean;
  /** The missing parts of an existing resource. */
  readonly waits?: (object: O, facts: Facts) => Waiting | undefined;
  /** The flags to set of what is as it should be. */
  readonly patch: (changes: Pick<ObjectChanges<O>, "conditionOf">) => MergePatch;
  /** The flags to set of what has been built and is broken or gone. */
  readonly broken?: (changes: ObjectChanges<O>) => MergePatch;
  /** Message of its Event. Default: no Event. */
  readonly message?: (object: O, facts: Facts) => string;
}

/** Poll interval of an object, in milliseconds; `undefined` waits for an event. */
export interface Pace {
  /** Something continues by itself, and no observation says how long to wait. */
  readonly pendingMs?: number | undefined;
  /** All is as it should be, or will not become so by itself. */
  readonly driftMs?: number | undefined;
}

/** The types of one author's life of objects, under one name. */
export interface LifeTypes {
  readonly object: KubeObject;
  readonly api: unknown;
  readonly facts: ObjectFacts;
  /** Result of `around`. */
  readonly more: object;
  readonly item: unknown;
  readonly uses: Uses;
}

/** Context before `connect`. */
export type PlaceOf<T extends LifeTypes> = ObjectContext<T["object"]> & T["more"] & Using<T["uses"]>;

/** Context of every verb. */
export type ContextOf<T extends LifeTypes> = LifeContext<T["object"], T["api"], T["more"] & Using<T["uses"]>>;

/** Context of `connect`. */
export type ConnectOf<T extends LifeTypes> = ConnectContext<T["object"]> & T["more"] & Using<T["uses"]>;

/**
 * The life of objects of one kind, in verbs. The engine does the rest: pausing, finalizer, Secrets, when to look again, failures,
 * conditions, events, and as few writes as there can be. `Facts` is what observations say beside the state, `More` what `around` finds,
 * `Item` what an inventory lists.
 */
export type ObjectAuthor<
  O extends KubeObject,
  Api = undefined,
  Facts extends ObjectFacts = ObjectFacts,
  More extends object = object,
  Item = never,
  U extends Uses<O> = NoUses,
> = AuthorOf<{
  readonly object: O;
  readonly api: Api;
  readonly facts: Facts;
  readonly more: More;
  readonly item: Item;
  readonly uses: U;
}>;

/** See `ObjectAuthor`. */
export interface AuthorOf<T extends LifeTypes> extends Holds<PlaceOf<T>> {
  readonly kind: Resource<T["object"]>;
  /** Name of the controller, if a kind has several. Default: the kind in lower case. */
  readonly name?: string;
  /** The resource behind an object, for messages: `the server`. */
  readonly noun: string;
  /** Without it nothing outside is held, and `remove` is never called. */
  readonly finalizer?: string | undefined;
  /** Finalizers of older versions, removed when found. */
  readonly oldFinalizers?: readonly string[];
  readonly concurrency?: number;
  /** Additional triggers of a reconcile. */
  readonly sources?: readonly Source[];
  /** Declares informers and indexes before the caches start. */
  readonly setup?: (cache: Cache) => void;
  /**
   * Requests to the management API in addition to those of the engine for the kind, its status, events and Secrets. Without finalizers and
   * operations the engine patches nothing but the status: facts of the spec then need `patch` here.
   */
  readonly permissions?: { readonly own?: readonly PermissionV1[]; readonly core?: readonly PermissionV1[] };
  /** Annotations by which a role or its author keeps records: no reason to look again, or to retry what was refused. */
  readonly ownAnnotations?: readonly string[];
  /**
   * Finds the objects that the object depends on. Returns `undefined` to skip the reconcile, for example while they do
   * not exist. Default: none.
   */
  readonly around?: (input: { readonly object: T["object"]; readonly cache: Cache }) => Around<T["more"]> | undefined;
  /** Related objects, by the name under which verbs find them in `uses`. What is declared here is watched and may be written. */
  readonly uses?: T["uses"];
  /** Where the credentials are. `undefined`: the provider's own. */
  readonly credentialsRef?: (context: PlaceOf<T>) => SecretRef | undefined;
  /** Opens the outside world. Without it there is none but the management API. */
  readonly connect?: (context: ConnectOf<T>) => T["api"] | Promise<T["api"]>;
  /** Why the object is left as it is for now. Asked before the finalizer is set, and never while it is being deleted. */
  readonly waits?: (context: PlaceOf<T>) => Waiting | undefined | Promise<Waiting | undefined>;
  /** Returns the record that the removal needs, without secrets; written with the finalizer before anything is created. */
  readonly recorded?: ((context: PlaceOf<T>) => MergePatch) | undefined;
  readonly inventory?: Inventory<T["object"], T["api"], T["item"]> | undefined;
  /** By which id the object records its thing, for inventories with `providerIDOf`. */
  readonly recordedID?: (object: T["object"]) => string | undefined;
  readonly observe: (context: ContextOf<T> & Listed<T["item"]>) => Promise<Observation<T["facts"]>>;
  /** Called after `observe` said absent. May be called again after a crash. */
  readonly create?: (context: ContextOf<T> & Writing & Listed<T["item"]>) => Promise<T["facts"] | void>;
  /**
   * Named steps an observation may ask for. Each is idempotent; its name becomes the progress reason. While the object is being
   * deleted, only those are run that `removing` asks for.
   */
  readonly steps?:
    | Readonly<Record<string, (context: ContextOf<T> & Handled & Listed<T["item"]>) => Promise<void>>>
    | undefined;
  /**
   * `create`, and names of steps, after which something may be there that outlives what the object stands for. A request of theirs that is
   * carried out late is waited for before the object is let go. Default: all, where there is `connect`.
   */
  readonly making?: readonly string[] | undefined;
  /**
   * Puts `identity.epoch` on the thing instead of any older mark; called when its tags are known and lack it, as after a restore. Default:
   * whatever keeps its tags as they should be does.
   */
  readonly mark?: ((context: ContextOf<T> & Handled & Listed<T["item"]>) => Promise<void>) | undefined;
  readonly operations?: OperationPolling<ContextOf<T>> | undefined;
  readonly stages?: ((input: { readonly object: T["object"] }) => readonly Stage[]) | undefined;
  /** Called before the resource is removed. Returns the reason to wait, or `undefined` to proceed. */
  readonly beforeRemoval?: (context: PlaceOf<T>) => Promise<Waiting | undefined>;
  /** Called until `observe` says absent. */
  readonly remove?: (context: ContextOf<T> & Handled & Listed<T["item"]>) => Promise<void>;
  /** Called when there is nothing to be done about what exists, with what was seen of it. It may ask for an earlier next look. */
  readonly settled?: (
    context: ContextOf<T> & { readonly seen: Seen<T["facts"]> },
  ) => Promise<{ readonly requeueAfterMs: number } | undefined>;
  /** Called while operations continue, which nothing is observed before the end of. It may ask for an earlier next look. */
  readonly underway?: (
    context: ContextOf<T> & { readonly running: readonly Operation[] },
  ) => Promise<{ readonly requeueAfterMs: number } | undefined>;
  /** Puts facts on the object. Default: their `status` and `spec`. While the object is being deleted, only status. */
  readonly record?: (object: T["object"], facts: T["facts"], options: { readonly deleting: boolean }) => MergePatch;
  readonly provision?: Provision<T["object"], T["facts"]>;
  /** Default: `Ready`. */
  readonly conditions?: Conditions<PlaceOf<T>>;
  /** See `ObjectSaverOptions`. */
  readonly news?: ((object: T["object"]) => string | undefined) | undefined;
  readonly pace?: Pace;
  /** The object with this uid is gone. */
  readonly forget?: (uid: string) => void;
  /** Called while the object is paused: what an author has put off until later may be overdue when the pause ends. */
  readonly paused?: (uid: string) => void;
}
