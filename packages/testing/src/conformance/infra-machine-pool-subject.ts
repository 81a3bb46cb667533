import type { Clock } from "@capstan/contract";
import type { MergePatch } from "@capstan/contract/wire";
import type { Kind, Resource } from "@capstan/schema";
import type { ManagedWorld } from "./managers.ts";

/** One machine of a pool, as its cloud has it. */
export interface PoolCloudMachine {
  readonly providerID: string;
  /** It is as the pool's present spec says. */
  readonly upToDate: boolean;
}

/** A simulated cloud with groups of machines, and the provider that works with it. */
export interface InfraMachinePoolCloud extends ManagedWorld {
  /** The spec of the infrastructure cluster in a namespace, where it depends on what `start` made. Default: that of the subject. */
  clusterSpec?(namespace: string): Promise<MergePatch> | MergePatch;
  /** Machines of the group of an object; `undefined`: there is no group. */
  machines(uid: string): Promise<readonly PoolCloudMachine[] | undefined> | readonly PoolCloudMachine[] | undefined;
  /** The bootstrap data that the next machine of the group gets. */
  userData(uid: string): Promise<string> | string;
  /** Takes one machine away behind the provider's back. */
  destroy(uid: string, providerID: string): Promise<void> | void;
  /** Asks for another number behind the provider's back, as an autoscaler of the cloud does. */
  resize(uid: string, capacity: number): Promise<void> | void;
  stop?(): Promise<void>;
}

/** An infrastructure machine pool kind, to be put through the suite. */
export interface InfraMachinePoolSubject {
  /** All kinds that have to be installed. */
  readonly kinds: readonly Kind[];
  readonly poolKind: Resource;
  readonly machineKind: Resource;
  /** The infrastructure cluster kind, with a spec that works. */
  readonly clusterKind: Resource;
  readonly clusterSpec: MergePatch;
  readonly poolSpec: MergePatch;
  /** A change of it for which machines are replaced. */
  readonly change: MergePatch;
  /** Number of surplus machines during a rollout of three, none of which may be missing. Default 1. */
  readonly maxSurge?: number;
  start(environment: { readonly clock: Clock }): Promise<InfraMachinePoolCloud>;
  readonly skip?: Readonly<Record<string, string>>;
}
