import type { KubeObject, OwnerReference, Resource } from "@capstan/schema";
import type { ConnectContext, Handled, OperationPolling, VerbContext, Waiting, Writing } from "../../engine/author.ts";
import type { SecretRef } from "../../engine/credentials.ts";
import type { Holds } from "../../engine/holds/hold.ts";
import type { ThingById } from "../../engine/named-by-id.ts";
import type { ObjectFacts } from "../../engine/observation.ts";
import type { TakenThing } from "../../engine/owned-by-another.ts";
import type { Stage } from "../../engine/stages.ts";
import type { NoUses, Uses, Using } from "../../engine/uses/use.ts";

/** The surroundings of a resource. */
export interface ResourceSurroundings {
  /** The Cluster that the object is labelled with or owned by, if there is one and it exists. It pauses the object. */
  readonly cluster: KubeObject | undefined;
}

/** Context of every verb of a resource. `U`: the author's `uses`. */
export type ResourceContext<O extends KubeObject, Api = undefined, U = NoUses> = VerbContext<O, Api> &
  ResourceSurroundings &
  Using<U>;

/** The thing outside, as `find` saw it. */
export interface Found<Actual> {
  readonly actual: Actual;
}

/** Something that is not as the spec says. */
export interface Difference {
  /** Where the spec says it, for example `spec.rules`. */
  readonly field: string;
  /** Both sides for people, where they are no secrets. */
  readonly desired?: string;
  readonly actual?: string;
  /** `update`: can be changed in place. `replace`: the thing is removed and made again. `refuse`: a user has to take the change back. */
  readonly mend: "update" | "replace" | "refuse";
}

/** The verbs of a resource: a kind for one thing at a cloud, such as a network, a firewall, a bucket or a DNS record. */
export interface ResourceAuthor<O extends KubeObject, Api, Actual, U extends Uses<O> = NoUses> extends Holds<
  { readonly object: O } & ResourceSurroundings & Using<U>
> {
  readonly kind: Resource<O>;
  /** The resource behind an object, for messages: `the bucket`. */
  readonly noun: string;
  readonly finalizer: string;
  readonly oldFinalizers?: readonly string[];
  /** Annotations among the facts: they are no reason to look again, or to retry what was refused. */
  readonly ownAnnotations?: readonly string[];
  readonly concurrency?: number;
  readonly credentialsRef?: (
    context: { readonly object: O } & ResourceSurroundings & Using<U>,
  ) => SecretRef | undefined;
  readonly uses?: U;
  readonly connect?: (context: ConnectContext<O> & ResourceSurroundings & Using<U>) => Api | Promise<Api>;
  /** Why nothing may be made yet, for example because what the object refers to is not there. */
  readonly waits?: (
    context: { readonly object: O } & ResourceSurroundings & Using<U>,
  ) => Waiting | undefined | Promise<Waiting | undefined>;
  /** Returns the resource of this object: by `identity.tag` or `identity.label`, or by the recorded ID. Never one with another owner. */
  readonly find: (context: ResourceContext<O, Api, U>) => Promise<Actual | undefined>;
  /** Its recorded facts. Its handle is passed to `update` and `remove`. */
  readonly facts: (actual: Actual, object: O) => ObjectFacts & { readonly handle: string };
  /** Why it cannot be used yet although it is there; it is looked at again. */
  readonly unready?: (found: Found<Actual>) => Waiting | undefined;
  /** Why it cannot be removed yet, for example because it is in use; it is looked at again. */
  readonly retained?: (found: Found<Actual> & { readonly object: O }) => Waiting | undefined;
  /** Something that the object goes with: it is garbage once that is gone. */
  readonly owner?: (context: { readonly object: O } & ResourceSurroundings & Using<U>) => OwnerReference | undefined;
  /** Whose it is when it is another object's, for example one that the spec names by its id: it is then neither changed nor removed. */
  readonly takenBy?: (context: ResourceContext<O, Api, U> & Found<Actual>) => TakenThing | undefined;
  /**
   * For things that a spec may name by their ids: which one it is, and whether it is the object's own. What is not is reported as it is, and
   * neither changed nor removed. The condition `Owned` records the answer. Default: whatever `find` finds is the object's own.
   */
  readonly byId?: (context: ResourceContext<O, Api, U> & Found<Actual>) => ThingById & { readonly isOwn: boolean };
  /**
   * For things that have no place for a mark: which one it is, and whether the object may take one that it has not made. The condition
   * `Owned` records the thing before it is made; one that is there without that is refused. Default: what `find` finds is the object's own.
   */
  readonly unmarked?: (context: ResourceContext<O, Api, U>) => ThingById & { readonly mayTake: boolean };
  /**
   * With `unmarked`: whether an error of `create` proves that nothing was made and nothing will be. The record is then
   * removed, so that a resource created later by another owner is not adopted. Default: no error proves it.
   */
  readonly isRefusal?: (error: unknown) => boolean;
  /** Called when there is none. May be called again after a crash. */
  readonly create: (context: ResourceContext<O, Api, U> & Writing) => Promise<void>;
  /** In what it is not as the spec says. Default: in nothing. */
  readonly differences?: (context: ResourceContext<O, Api, U> & Found<Actual>) => readonly Difference[];
  /** Called to fix the differences that can be fixed in place. */
  readonly update?: (
    context: ResourceContext<O, Api, U> &
      Found<Actual> &
      Handled & { readonly differences: readonly [Difference, ...Difference[]] },
  ) => Promise<void>;
  /** As for machines; with `tags` of the facts. */
  readonly mark?: (context: ResourceContext<O, Api, U> & Handled) => Promise<void>;
  /** Called until `find` finds none. */
  readonly remove: (context: ResourceContext<O, Api, U> & Handled) => Promise<void>;
  readonly operations?: OperationPolling<ResourceContext<O, Api, U>>;
  readonly stages?: (input: { readonly object: O }) => readonly Stage[];
  /** Interval of comparing it with the spec, in milliseconds. Default 600 000. */
  readonly driftPollMs?: number;
}
