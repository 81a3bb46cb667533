import type { Clock } from "@capstan/contract";
import type { MergePatch } from "@capstan/contract/wire";
import type { Kind, KubeObject, Resource } from "@capstan/schema";
import type { CloudFault } from "./infra-machine-subject.ts";
import type { ManagedWorld } from "./managers.ts";

/** A simulated cloud and the provider that works with it. */
export interface ResourceCloud extends ManagedWorld {
  /** Returns the number of things that exist for an object. */
  count(uid: string): number | Promise<number>;
  /** The spec of an object in a namespace, where it depends on what `start` made or differs from scene to scene. Default: that of the subject. */
  spec?(namespace: string): MergePatch | Promise<MergePatch>;
  /** Changes the thing of an object behind the provider's back. */
  drift(uid: string): void | Promise<void>;
  /** Returns whether the thing of an object is as the spec says. */
  isAsDesired(object: KubeObject): boolean | Promise<boolean>;
  /** Takes it away behind the provider's back. */
  destroy(uid: string): void | Promise<void>;
  disturb(fault: Omit<CloudFault, "retryAfterMs">): void;
  stop?(): Promise<void>;
}

/** A kind with the role of a resource, to be put through the suite. */
export interface ResourceSubject {
  /** All kinds that have to be installed. */
  readonly kinds: readonly Kind[];
  readonly kind: Resource;
  /** Name of its objects, where there are rules for names. Default `r`. */
  readonly name?: string;
  /** Objects that it needs, such as a Secret; they are there first. Default: none. */
  readonly beside?: readonly { readonly kind: Resource; readonly object: KubeObject }[];
  /** A spec that works. */
  readonly spec: MergePatch;
  /** A change of it that is fixed in place. */
  readonly change: MergePatch;
  /** A change of it that has to be taken back, and the field that the message names. Default: there is none. */
  readonly refused?: { readonly change: MergePatch; readonly field: string };
  start(environment: { readonly clock: Clock }): Promise<ResourceCloud>;
  /** Names of cases this kind cannot pass, each with the reason. */
  readonly skip?: Readonly<Record<string, string>>;
}
