import type { BootstrapDelivery } from "@capstan/contract/v1";
import type { KubeObject, Resource } from "@capstan/schema";
import type { ObjectStoreRequest } from "../../delivery/object-store-request.ts";
import type { ConnectContext, Handled, OperationPolling, VerbContext, Writing } from "../../engine/author.ts";
import type { Holds } from "../../engine/holds/hold.ts";
import type { ObjectFacts, Observation } from "../../engine/observation.ts";
import type { Stage } from "../../engine/stages.ts";
import type { NoUses, Uses, Using } from "../../engine/uses/use.ts";
import type { ReportRequest } from "../../report/report-request.ts";
import type { ClusterParts } from "../infra-machine/cluster-record.ts";
import type { MachineSurroundings } from "../infra-machine/author.ts";
import type { PoolPlan, PoolStrategy } from "./plan.ts";

/** The surroundings of an infrastructure machine pool. `machine` is the template of its machines. */
export interface PoolSurroundings<C extends KubeObject = KubeObject> extends MachineSurroundings<C> {
  /** The owning MachinePool. */
  readonly pool: KubeObject;
  /** Machines that it wants. */
  readonly replicas: number;
  /** The replicas are managed externally: nothing is scaled, and the MachinePool follows. */
  readonly isScaledElsewhere: boolean;
  readonly failureDomains: readonly string[];
}

/** Context of every verb of an infrastructure machine pool. `U`: the author's `uses`. */
export type PoolVerbContext<
  O extends KubeObject,
  Api = undefined,
  C extends KubeObject = KubeObject,
  U = NoUses,
> = VerbContext<O, Api> & PoolSurroundings<C> & Using<U>;

/** Additional context of `observe`. */
export interface PoolBootstrap {
  /** A digest of the present bootstrap data, to be stored with the pool: data changes during its life. `undefined`: there is none. */
  readonly bootstrapDigest: string | undefined;
}

/** Context of `create` and steps: the bootstrap data may be delivered again. */
export interface PoolWriting {
  readonly bootstrap: BootstrapDelivery;
  /** The bootstrap report that the pool asks for, if its machines are created with a part that reports. */
  readonly report: ReportRequest;
}

/** One machine of the pool. */
export interface PoolMember {
  /** Name of its infrastructure machine and Machine: unique, and constant for its lifetime. */
  readonly name: string;
  readonly providerID: string;
  /** It is of the pool's present template. Default true. */
  readonly upToDate?: boolean;
  /** Why it is not. */
  readonly message?: string;
  /** It goes away already. */
  readonly leaving?: boolean;
  /** Milliseconds since the epoch. */
  readonly createdAt?: number;
  /** Fields of its infrastructure machine, in addition to the provider ID. */
  readonly spec?: Readonly<Record<string, unknown>>;
}

/** Facts about an existing pool. `status` is merged into the object's status. */
export interface PoolFacts extends ObjectFacts {
  readonly handle: string;
  /** Machines that the infrastructure has been asked for. */
  readonly capacity: number;
  /** Those that exist. */
  readonly members: readonly PoolMember[];
}

/** Outcomes of `observe`: expected outcomes are values, failures are thrown. */
export type PoolObservation = Observation<PoolFacts>;

type Context<O extends KubeObject, Api, C extends KubeObject, U> = PoolVerbContext<O, Api, C, U>;

/** The verbs of an infrastructure machine pool; the role implements the rest of the contract. */
export interface InfraMachinePoolAuthor<
  O extends KubeObject,
  Api = undefined,
  C extends KubeObject = KubeObject,
  U extends Uses<O> = NoUses,
> extends Holds<{ readonly object: O } & PoolSurroundings<C> & Using<U>> {
  readonly kind: Resource<O>;
  /** The infrastructure cluster kind that goes with it. */
  readonly clusterKind: Resource<C>;
  /**
   * The kind of its machines, where each can be deleted alone; `infraMachine` is the role of that kind. The role makes one for each
   * member, and chooses which Machines go.
   */
  readonly machineKind?: Resource;
  readonly finalizer: string;
  /** Annotations among the facts: they are no reason to look again, or to retry what was refused. */
  readonly ownAnnotations?: readonly string[];
  readonly concurrency?: number;
  /** Related objects, by the name under which verbs find them in `uses`. */
  readonly uses?: U;
  /** Opens the cloud. Without it there is none: the verbs work with the management API. */
  readonly connect?: (context: ConnectContext<O> & PoolSurroundings<C> & Using<U>) => Api | Promise<Api>;
  /** As that of an infrastructure machine: what of its infrastructure cluster the removal of a pool needs, without secrets. */
  readonly clusterRecord?: (infraCluster: C) => ClusterParts;
  readonly objectStore?: (input: {
    readonly object: O;
    readonly infraCluster: C | undefined;
  }) => ObjectStoreRequest | undefined;
  /** Bootstrap formats the provider can hand over. Default: cloud-config only. */
  readonly formats?: readonly string[];
  /** Rollout strategy, if there is a `machineKind`. Default: one surplus machine at a time, oldest first. */
  readonly strategy?: (input: { readonly object: O }) => PoolStrategy;
  readonly observe: (context: Context<O, Api, C, U> & PoolBootstrap) => Promise<PoolObservation>;
  /** Called after `observe` said absent, once bootstrap data is there. May be called again after a crash. */
  readonly create: (
    context: Context<O, Api, C, U> & Writing & PoolBootstrap & PoolWriting & Pick<PoolPlan, "capacity">,
  ) => Promise<void>;
  /** Asks the infrastructure for `capacity` machines. With a `machineKind` it is never asked for fewer than there are. */
  readonly scale: (context: Context<O, Api, C, U> & Handled & Pick<PoolPlan, "capacity">) => Promise<void>;
  /** Named steps an observation may ask for, for example to bring a changed template to the pool. Each is idempotent. */
  readonly steps?: Readonly<
    Record<string, (context: Context<O, Api, C, U> & Handled & PoolBootstrap & PoolWriting) => Promise<void>>
  >;
  /** As for machines. */
  readonly mark?: (context: PoolVerbContext<O, Api, C, U> & Handled) => Promise<void>;
  /** Called to poll operations that `create`, `scale`, steps or `remove` start with `operations.start`. */
  readonly operations?: OperationPolling<Context<O, Api, C, U>>;
  readonly stages?: (input: { readonly object: O }) => readonly Stage[];
  /** Called until `observe` says absent. */
  readonly remove: (context: Context<O, Api, C, U> & Handled) => Promise<void>;
}
