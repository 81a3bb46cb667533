import type { Clock, Logger, Random } from "@capstan/contract";
import type { PermissionV1 } from "@capstan/contract/v1";
import type { ConditionInput, MergePatch } from "@capstan/contract/wire";
import type { Cache } from "@capstan/kube";
import type { ReconcileContext, Source } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import type { Verdict } from "./conditions.ts";
import type { Credentials, SecretReader, SecretRef } from "./credentials.ts";
import type { ObjectFacts, Observation, Seen } from "./observation.ts";
import type { Operation, Operations, OperationState } from "./operations.ts";
import type { ObjectChanges } from "./save/object-changes.ts";
import type { Stage } from "./stages.ts";

/** Who an object is to the outside world. Look up by `tag` before creating anything. */
export interface Identity {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** `capstan-uid=<uid>` style value that a cloud stores with the resource; at most 64 characters of `[A-Za-z0-9:_=.-]`. */
  readonly tag: string;
  /** The same for clouds whose tags have a key and a value. */
  readonly label: { readonly key: string; readonly value: string };
  readonly clusterName: string;
}

/** What every verb receives. Verbs never sleep, never write to Kubernetes, and may be killed and called again at any point. */
export interface VerbContext<O extends KubeObject, Api> {
  readonly object: O;
  readonly identity: Identity;
  readonly api: Api;
  readonly log: Logger;
  readonly clock: Clock;
  readonly random: Random;
  /** Passed on to every outside call. */
  readonly call: { readonly signal: AbortSignal };
  /** Records a Kubernetes Event on the object. */
  event(event: { readonly type: "Normal" | "Warning"; readonly reason: string; readonly message: string }): void;
  /** Reads a Secret, `undefined` if missing. */
  readSecret(ref: SecretRef): Promise<Credentials | undefined>;
}

/** What there is before `connect`; roles and authors of the engine work with it, and give their own authors less. */
export interface ObjectContext<O extends KubeObject> extends Omit<VerbContext<O, never>, "api"> {
  /** What this reconcile changes about the object. */
  readonly changes: ObjectChanges<O>;
  /** The management API, its cache, services, and the rest that a reconcile has. */
  readonly environment: ReconcileContext;
  /** Reads Secrets once per version; a change of one wakes the objects that read it. */
  readonly secrets: SecretReader;
}

/** What a verb of the engine's author receives: `More` is what stands around the object. */
export type LifeContext<O extends KubeObject, Api, More> = ObjectContext<O> & VerbContext<O, Api> & More;

/** What verbs that write receive beside. */
export interface Writing {
  readonly operations: Operations;
}

/** What steps and removals receive beside. */
export interface Handled extends Writing {
  /** How the outside world calls the thing: the fact of this name, or `identity.tag`. */
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

/** What an object hangs on, as one reconcile finds it. */
export interface Around<More> {
  /** Holds the object still while it is paused. */
  readonly cluster?: KubeObject | undefined;
  readonly clusterName?: string | undefined;
  /**
   * What the outcome of writing verbs depends on beside the object itself. A write that was refused for good is tried again when one of
   * them is different. Without it, as where not all of them can be seen, nothing is held back.
   */
  readonly inputs?: readonly (KubeObject | string | undefined)[];
  /** Becomes part of every verb's context. */
  readonly more: More;
}

/** What verbs see of the inventory. */
export interface Listed<Item> {
  /** The object's own thing. */
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
  readonly scope: (input: { readonly object: O; readonly credentials: Credentials | undefined }) => string;
  readonly list: (input: {
    readonly api: Api;
    readonly call: { readonly signal: AbortSignal };
  }) => Promise<readonly Item[]>;
  /** Tags as texts, or by key: a thing is an object's if it carries `identity.tag`, or `identity.label`. */
  readonly tagsOf: (item: Item) => readonly string[] | Readonly<Record<string, string>>;
  /** Finds things whose object got another uid, when it was moved here: they are known by the provider id that the object records. */
  readonly providerIDOf?: (item: Item) => string;
  /** Things that are nobody's and may be taken, where they are not made but claimed. */
  readonly isFree?: (item: Item) => boolean;
  /** While any object of the scope is pending. */
  readonly pollMs: number;
  /** When all are settled. */
  readonly settledPollMs: number;
}

/** What a role says of objects that are built once and are something to others from then on. */
export interface Provision<O extends KubeObject, Facts> {
  /** Whether it has been built before. */
  readonly is: (object: O) => boolean;
  /** Whether it was made before, finished or not: it is never made again, and its absence is an error. */
  readonly wasCreated?: (object: O) => boolean;
  /** What is still missing of something that is present. */
  readonly waits?: (object: O, facts: Facts) => Waiting | undefined;
  /** The flags to set. */
  readonly patch: () => MergePatch;
  /** What the event says. */
  readonly message: (object: O, facts: Facts) => string;
}

/** How often an object is looked at, in milliseconds; `undefined` waits for an event. */
export interface Pace {
  /** Something goes on by itself, and no observation says how long to wait. */
  readonly pendingMs?: number | undefined;
  /** All is as it should be, or will not become so by itself. */
  readonly driftMs?: number | undefined;
}

/** Turns a verdict into conditions. */
export type Conditions<O extends KubeObject, More> = (
  verdict: Verdict,
  context: ObjectContext<O> & More,
) => readonly ConditionInput[];

/**
 * The life of objects of one kind, in verbs. The engine does the rest: pausing, finalizer, Secrets, when to look again, failures,
 * conditions, events, and as few writes as there can be. `More` is what `around` finds, `Facts` what observations say beside the state.
 */
export interface ObjectAuthor<
  O extends KubeObject,
  Api = undefined,
  Facts extends ObjectFacts = ObjectFacts,
  More extends object = object,
  Item = never,
> {
  readonly kind: Resource<O>;
  /** What an object stands for, in messages: `the server`. */
  readonly noun: string;
  /** Without it nothing outside is held, and `remove` is never called. */
  readonly finalizer?: string | undefined;
  /** Finalizers of older versions, removed when found. */
  readonly oldFinalizers?: readonly string[];
  readonly concurrency?: number;
  /** What wakes objects beside their own changes. */
  readonly sources?: readonly Source[];
  /** Declares informers and indexes before the caches start. */
  readonly setup?: (cache: Cache) => void;
  /** What is done with the management API beside what the engine does with the kind, its status, events and Secrets. */
  readonly permissions?: { readonly own?: readonly PermissionV1[]; readonly core?: readonly PermissionV1[] };
  /** Annotations by which a role keeps its own records: no reason to try again what was refused. */
  readonly ownAnnotations?: readonly string[];
  /**
   * Finds what the object hangs on. `undefined`: it is not its time yet, or somebody else looks after it; nothing is done. Without it the
   * object stands alone.
   */
  readonly around?: (input: { readonly object: O; readonly cache: Cache }) => Around<More> | undefined;
  /** Where the credentials are. `undefined`: the provider's own. */
  readonly credentialsRef?: (context: ObjectContext<O> & More) => SecretRef | undefined;
  /** Opens the outside world. Without it there is none but the management API. */
  readonly connect?: (input: {
    readonly object: O;
    readonly credentials: Credentials | undefined;
  }) => Api | Promise<Api>;
  /** Why the object is left as it is for now. Asked before the finalizer is set, and never while it is being deleted. */
  readonly waits?: (context: ObjectContext<O> & More) => Waiting | undefined | Promise<Waiting | undefined>;
  readonly inventory?: Inventory<O, Api, Item> | undefined;
  /** By which id the object records its thing, for inventories with `providerIDOf`. */
  readonly recordedID?: (object: O) => string | undefined;
  readonly observe: (context: LifeContext<O, Api, More> & Listed<Item>) => Promise<Observation<Facts>>;
  /** Called after `observe` said absent. May be called again after a crash. */
  readonly create?: (
    context: LifeContext<O, Api, More> & Writing & Pick<Listed<Item>, "inventory">,
  ) => Promise<Facts | void>;
  /** Named steps an observation may ask for. Each is idempotent; its name becomes the progress reason. */
  readonly steps?:
    | Readonly<Record<string, (context: LifeContext<O, Api, More> & Handled & Listed<Item>) => Promise<void>>>
    | undefined;
  readonly operations?: OperationPolling<LifeContext<O, Api, More>> | undefined;
  readonly stages?: ((input: { readonly object: O }) => readonly Stage[]) | undefined;
  /** What has to happen before the thing is removed; the removal waits while it says why. */
  readonly beforeRemoval?: (context: ObjectContext<O> & More) => Promise<Waiting | undefined>;
  /** Called until `observe` says absent. */
  readonly remove?: (context: LifeContext<O, Api, More> & Handled) => Promise<void>;
  /** Called when there is nothing to be done about what exists, with what was seen of it. It may ask for an earlier next look. */
  readonly settled?: (
    context: LifeContext<O, Api, More> & { readonly seen: Seen<Facts> },
  ) => Promise<{ readonly requeueAfterMs: number } | undefined>;
  /** Puts facts on the object. Default: their `status` and `spec`. While the object is being deleted, only status. */
  readonly record?: (object: O, facts: Facts, options: { readonly deleting: boolean }) => MergePatch;
  readonly provision?: Provision<O, Facts>;
  /** Default: `Ready`. */
  readonly conditions?: Conditions<O, More>;
  readonly pace?: Pace;
  /** The object with this uid is gone. */
  readonly forget?: (uid: string) => void;
}
