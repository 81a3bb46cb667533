import type { BootstrapDelivery } from "@capstan/contract/v1";
import type { ConditionInput } from "@capstan/contract/wire";
import type { KubeObject, Resource } from "@capstan/schema";
import type { BootstrapReport, ReportChannel } from "../../report/bootstrap-report.ts";
import type { ReportRequest } from "../../report/report-request.ts";
import type { ObjectStoreRequest } from "../../delivery/object-store-request.ts";
import type { SecretRef } from "../../engine/credentials.ts";
import type { Holds } from "../../engine/holds/hold.ts";
import type { Stage } from "../../engine/stages.ts";
import type {
  ConnectContext,
  Handled,
  Inventory,
  Listed,
  OperationPolling,
  VerbContext,
  Writing,
} from "../../engine/author.ts";
import type { ObjectFacts, Observation } from "../../engine/observation.ts";
import type { NoUses, Uses, Using } from "../../engine/uses/use.ts";
import type { ClusterParts } from "./cluster-record.ts";

/** The surroundings of an infrastructure machine. */
export interface MachineSurroundings<C extends KubeObject = KubeObject> {
  /** The owning Machine. */
  readonly machine: KubeObject;
  readonly cluster: KubeObject;
  /** The infrastructure cluster object, if the Cluster has one and it exists. */
  readonly infraCluster: C | undefined;
  readonly controlPlane: boolean;
  /** `Machine.spec.failureDomain`. */
  readonly failureDomain: string | undefined;
  readonly version: string | undefined;
}

/** Context of every verb of an infrastructure machine. `U`: the author's `uses`. */
export type MachineVerbContext<
  O extends KubeObject,
  Api = undefined,
  C extends KubeObject = KubeObject,
  U = NoUses,
> = VerbContext<O, Api> & MachineSurroundings<C> & Using<U>;

/** Context of `create`. */
export type CreateContext<
  O extends KubeObject,
  Api = undefined,
  C extends KubeObject = KubeObject,
  U = NoUses,
> = MachineVerbContext<O, Api, C, U> & Writing & { readonly bootstrap: BootstrapDelivery };

/** An address of a server. */
export interface MachineAddress {
  readonly type: "Hostname" | "ExternalIP" | "InternalIP" | "ExternalDNS" | "InternalDNS";
  readonly address: string;
}

/** Facts about an existing server. `status` is merged into the object's status. `spec` holds ids that upstream keeps in spec. */
export interface MachineFacts extends ObjectFacts {
  readonly handle: string;
  readonly providerID?: string;
  readonly addresses?: readonly MachineAddress[];
  readonly failureDomain?: string;
  readonly interruptible?: boolean;
  /** Bootstrap result shown by the cloud; it takes precedence over the channels of `report`. */
  readonly bootstrap?: BootstrapReport;
}

/** Context of a channel. */
export type ReportContext<O extends KubeObject, Api, C extends KubeObject = KubeObject> = VerbContext<O, Api> &
  MachineSurroundings<C> & {
    readonly handle: string;
    /** Time limit for bootstrapping, in milliseconds. */
    readonly waitMs: number;
    /** Name of the channel that a user chose. */
    readonly checker: string | undefined;
    /** Returns what the machine uploaded to the URL signed by `prepare`; `undefined` if nothing was uploaded. */
    readonly uploaded: () => Promise<Uint8Array | undefined>;
  };

/** The ways to learn whether bootstrapping succeeded on the servers of a kind. */
export interface MachineReport<O extends KubeObject, Api, C extends KubeObject = KubeObject> {
  /** A machine has the one that a user chose, or the first that is available. */
  readonly channels: readonly ReportChannel<ReportContext<O, Api, C>>[];
  /**
   * The end of what the server printed on its console, read after a failure and when time is over; the channel's own log follows it. A
   * failure changes no verdict.
   */
  readonly consoleLog?: (context: ReportContext<O, Api, C>) => Promise<string | undefined>;
  /** The handle of a server that is still being made, to read its console by. Without it the console of such a server is not read. */
  readonly handleOf?: (context: VerbContext<O, Api> & MachineSurroundings<C>) => string;
  /** Default without the annotation `capstan.dev/bootstrap-report`. Default: data is not prepared for a report. */
  readonly byDefault?: Partial<Pick<ReportRequest, "wanted" | "waitMs">>;
  /** Poll interval of the channels during bootstrapping, in milliseconds. Default 10 000. */
  readonly pollMs?: number;
}

/** Outcomes of `observe`: expected outcomes are values, failures are thrown. */
export type MachineObservation = Observation<MachineFacts>;

/** The verbs of an infrastructure machine; the role implements the rest of the contract. */
export interface InfraMachineAuthor<
  O extends KubeObject,
  Api = undefined,
  Item = never,
  C extends KubeObject = KubeObject,
  U extends Uses<O> = NoUses,
  S extends string = string,
> extends Holds<{ readonly object: O } & MachineSurroundings<C> & Using<U>> {
  readonly kind: Resource<O>;
  /** The infrastructure cluster kind that goes with this machine kind. */
  readonly clusterKind: Resource<C>;
  readonly finalizer: string;
  /** Finalizers of older versions, removed when found. */
  readonly oldFinalizers?: readonly string[];
  /** Annotations among the facts: they are no reason to look again, or to retry what was refused. */
  readonly ownAnnotations?: readonly string[];
  readonly concurrency?: number;
  /** Where the credentials are; the first Secret reference wins. `undefined`: the provider's own. */
  readonly credentialsRef?: (input: {
    readonly object: O;
    readonly infraCluster: C | undefined;
  }) => SecretRef | undefined;
  /** Related objects, by the name under which verbs find them in `uses`: `owned`, `referenced`, `claimed` and the like. */
  readonly uses?: U;
  /** Opens the cloud. Without it there is none: the verbs work with the management API. */
  readonly connect?: (context: ConnectContext<O> & MachineSurroundings<C> & Using<U>) => Api | Promise<Api>;
  /**
   * Returns the parts of the infrastructure cluster that removal of a machine needs, without secrets. Recorded on the
   * machine, and passed as `infraCluster` when that was removed by force; see `isRecordedCluster`.
   */
  readonly clusterRecord?: (infraCluster: C) => ClusterParts;
  readonly objectStore?: (input: {
    readonly object: O;
    readonly infraCluster: C | undefined;
  }) => ObjectStoreRequest | undefined;
  /**
   * Shows the result of bootstrapping as the condition BootstrapSucceeded, an event, and the end of the log in a
   * Secret. Without `report`: taken from `bootstrap` of the facts or else from the Node, and without the Secret.
   */
  readonly report?: MachineReport<O, Api, C>;
  /** Bootstrap formats the provider can hand over. Default: cloud-config only. */
  readonly formats?: readonly string[];
  /**
   * One list call that shows every server of a credential. With it, `observe` receives `item`: lists are shared by all
   * machines of the credential, and a list is never older than the machine's own last write.
   */
  readonly inventory?: Inventory<O, Api, Item>;
  readonly observe: (context: MachineVerbContext<O, Api, C, U> & Listed<Item>) => Promise<MachineObservation>;
  /**
   * Called after `observe` said absent, once bootstrap data is there. May be called again after a crash. What is known of the new server
   * by then may be returned: with its provider id recorded, no second one is ever made.
   */
  readonly create: (context: CreateContext<O, Api, C, U> & Listed<Item>) => Promise<MachineFacts | void>;
  /**
   * Named steps an observation may ask for, for example `boot`. Each is idempotent; its name becomes the progress reason. While the object is being
   * deleted, only those are run that `removing` asks for.
   */
  readonly steps?: Readonly<
    Record<S, (context: MachineVerbContext<O, Api, C, U> & Handled & Listed<Item>) => Promise<void>>
  >;
  /**
   * `create`, and names of steps, after which something may be there that outlives the server. A request of theirs that takes effect late
   * is waited for before the object is let go. Default: all, where there is `connect`.
   */
  readonly making?: readonly ("create" | NoInfer<S>)[];
  /**
   * Puts `identity.epoch` on the server instead of any older mark; called when its tags are known (by `inventory`, or `tags` of the facts) and
   * lack it, as after the management API was restored from a backup.
   */
  readonly mark?: (context: MachineVerbContext<O, Api, C, U> & Handled & Listed<Item>) => Promise<void>;
  /** Called to poll operations that `create`, steps or `remove` start with `operations.start`. */
  readonly operations?: OperationPolling<MachineVerbContext<O, Api, C, U>>;
  /**
   * The stages of making a server, in order, or of removing it when the object has a deletionTimestamp. With them, conditions show the
   * stage, when it began and how many there are; a change of stage is written, time that passes is not.
   */
  readonly stages?: (input: { readonly object: O }) => readonly Stage[];
  /** Further conditions for what no observation says: that the machine waits for others, or that something failed. */
  readonly remarks?: (input: {
    readonly object: O;
    readonly reason: string;
    readonly message: string;
    readonly failed: boolean;
  }) => readonly ConditionInput[];
  /** Called until `observe` says absent. */
  readonly remove: (context: MachineVerbContext<O, Api, C, U> & Handled & Listed<Item>) => Promise<void>;
}
