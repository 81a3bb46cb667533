import type { Clock, Logger, Random } from "@capstan/contract";
import type { PermissionV1 } from "@capstan/contract/v1";
import type { ConditionInput } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import type { ObjectKey } from "@capstan/kube-values";
import type { KubeObject, Resource } from "@capstan/schema";
import type { WorkloadAccount } from "../../workload/workload-account.ts";
import type { NoUses, Uses, Using } from "../../engine/uses/use.ts";
import type { ClusterAccess } from "./cluster-access.ts";
import type { SpecAtCreation } from "./new-config.ts";

/** The MachinePool that a bootstrap config makes data for: its machines come and go, and all of them get the same data. */
export interface BootstrapPool {
  readonly object: KubeObject;
  /** Every machine of it has its Node: no machine is about to use the current data. */
  readonly isComplete: boolean;
}

/** Context of every function of a bootstrap author. */
export interface BootstrapContext<O extends KubeObject, U = NoUses> extends Using<U> {
  readonly object: O;
  /** The Machine; for a MachinePool, what each of its machines is to be. */
  readonly machine: KubeObject;
  /** Only where the config is a MachinePool's. */
  readonly pool?: BootstrapPool | undefined;
  readonly cluster: KubeObject;
  readonly controlPlane: boolean;
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly call: { readonly signal: AbortSignal };
  event(event: { readonly type: "Normal" | "Warning"; readonly reason: string; readonly message: string }): void;
  /** Merge-patches the object's spec now, before going on, and returns the object as stored. */
  persistSpec(patch: Readonly<Record<string, unknown>>): Promise<O>;
  /** The contents of a Secret in the config's namespace, read once per version; a change of it wakes the config. */
  secret(name: string): Promise<Readonly<Record<string, string>> | undefined>;
  /**
   * The contents of the Secret `<cluster>-<purpose>`, as `secret` reads. Throws `bootstrap.cluster_secret_unmarked` when its type or label
   * does not say that it is the cluster's.
   */
  clusterSecret(purpose: string): Promise<Readonly<Record<string, string>> | undefined>;
  /** From now on a change of a Secret that was read otherwise wakes the config, also while it is missing. */
  readonly watchSecret: (key: Required<ObjectKey>) => void;
  /** A Secret as it was last seen, read once per version; a change of it wakes the config, also while it is missing. */
  readonly seenSecret: NonNullable<ClusterAccess["seenSecret"]>;
  readonly madeSecret: NonNullable<ClusterAccess["madeSecret"]>;
  readonly mayBeLocked: NonNullable<ClusterAccess["mayBeLocked"]>;
  /** Told by `initOrJoin` that the config is about to look at the lock of its Cluster, from when a change of it wakes the config, or got it. */
  readonly awaitsLock: (awaits: boolean) => void;
  /** Live access to the workload cluster; throws `workload.unreachable` (retry) when it does not answer. */
  workload(): Promise<Client>;
  /** Sets an author's condition, in addition to the role's DataSecretAvailable and Ready. */
  condition(condition: ConditionInput): void;
}

/** Result of rendering: the document, or the reason why it cannot be rendered yet. */
export type BootstrapOutcome =
  | {
      readonly state: "waiting";
      readonly reason: string;
      readonly message: string;
      readonly requeueAfterMs?: number;
    }
  | {
      readonly state: "ready";
      /** Text, or bytes where it is packed. */
      readonly value: string | Uint8Array;
      readonly format: string;
      readonly requeueAfterMs?: number;
    };

/** The functions of a bootstrap config's author; the role implements the rest of the contract. */
export interface BootstrapAuthor<O extends KubeObject, U extends Uses<O> = NoUses> {
  readonly kind: Resource<O>;
  readonly concurrency?: number;
  /** Conditions that Ready summarises in addition to DataSecretAvailable. */
  readonly readyInputs?: readonly string[];
  /** Permissions of the author's functions in the management API, in addition to those of the role. */
  readonly permissions?: readonly PermissionV1[];
  /** As whom its functions work in the workload cluster. Default: the user of the cluster's kubeconfig, with all its rights. */
  readonly workload?: WorkloadAccount;
  /** `generate` uses `initOrJoin`: configs of control planes are woken when the lock is free, and the role has the permissions for it. */
  readonly initLock?: boolean;
  /** Kind of the control planes that `generate` reads or waits for: a change of one wakes the configs of its Cluster. */
  readonly controlPlane?: Resource;
  /** Related objects, by the name under which functions find them in `uses`: `owned`, `referenced`, `ofAnyKind` and the like. */
  readonly uses?: U;
  /**
   * Fields that `generate` would persist in the spec of a Machine's config, as far as known when a controller of the
   * same process creates it: saves a write. Default: nothing.
   */
  readonly specAtCreation?: SpecAtCreation<O>;
  /**
   * Renders the document. Called until it says ready; called again only while the Secret does not exist. For a MachinePool it is called
   * again, and the Secret changed, whenever the spec of the config or the version of the pool is another one, or `refresh` asks for it.
   */
  readonly generate: (context: BootstrapContext<O, U>) => Promise<BootstrapOutcome>;
  /**
   * Called while data exists and the Machine has no Node yet, for example to keep a token alive; not before the time that was asked for,
   * but at once by a process that starts and when a pause ends.
   * For a MachinePool, always: it may persist another token. `stale`: the document is to be rendered again; only for a MachinePool.
   */
  readonly refresh?: (
    context: BootstrapContext<O, U>,
  ) => Promise<{ readonly requeueAfterMs?: number; readonly stale?: boolean }>;
  /**
   * Called to delete what `generate` created outside of the config and its Secret, for example an unused token;
   * repeated until it succeeds. Owners that are gone already are stood in for by their names. With it, the config has a finalizer.
   */
  readonly remove?: (context: BootstrapContext<O, U>) => Promise<void>;
  /** Called once the Machine has its Node, of a control plane once its Cluster says so too, never for a MachinePool; again by a process that starts within an hour after it, and for control planes by every one. */
  readonly joined?: (context: BootstrapContext<O, U>) => Promise<void>;
}
