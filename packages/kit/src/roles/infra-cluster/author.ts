import type { KubeObject, Resource } from "@capstan/schema";
import type { SecretRef } from "../../engine/credentials.ts";
import type { Holds } from "../../engine/holds/hold.ts";
import type { Stage } from "../../engine/stages.ts";
import type { ConnectContext, Handled, OperationPolling, VerbContext, Writing } from "../../engine/author.ts";
import type { ObjectFacts, Observation } from "../../engine/observation.ts";
import type { NoUses, Uses, Using } from "../../engine/uses/use.ts";

/** The surroundings of an infrastructure cluster. */
export interface ClusterSurroundings<M extends KubeObject = KubeObject> {
  /** The owning Cluster. */
  readonly cluster: KubeObject;
  /** This provider's control-plane machines of the cluster, oldest first: without those that are being deleted, and those whose servers are gone. */
  readonly controlPlaneMachines: readonly M[];
  /**
   * Another infrastructure is the Cluster's own, with the control plane and its endpoint: this one is for workers alone. `observe` answers
   * without an endpoint, and nothing is made for one. Not said while the object is being deleted: all that exists goes.
   */
  readonly additional: boolean;
}

/** Context of every verb of an infrastructure cluster. `U`: the author's `uses`. */
export type ClusterVerbContext<
  O extends KubeObject,
  Api = undefined,
  M extends KubeObject = KubeObject,
  U = NoUses,
> = VerbContext<O, Api> & ClusterSurroundings<M> & Using<U>;

/** Facts about a cluster's infrastructure. */
export interface ClusterFacts extends ObjectFacts {
  readonly endpoint?: { readonly host: string; readonly port: number };
  readonly failureDomains?: readonly {
    readonly name: string;
    readonly controlPlane?: boolean;
    readonly attributes?: Readonly<Record<string, string>>;
  }[];
}

/** Outcomes of `observe`: expected outcomes are values, failures are thrown. */
export type ClusterObservation = Observation<ClusterFacts>;

/** The verbs of an infrastructure cluster; the role implements the rest of the contract. */
export interface InfraClusterAuthor<
  O extends KubeObject,
  Api = undefined,
  M extends KubeObject = KubeObject,
  U extends Uses<O> = NoUses,
> extends Holds<{ readonly object: O } & ClusterSurroundings<M> & Using<U>> {
  readonly kind: Resource<O>;
  /** The machine kind whose control-plane members the cluster's load balancer serves. */
  readonly machineKind: Resource<M>;
  /** Further kinds of which objects with the cluster's label need the infrastructure until they are gone, such as machine pools. */
  readonly otherUsers?: readonly Resource[];
  readonly finalizer: string;
  readonly oldFinalizers?: readonly string[];
  /** Annotations among the facts: they are no reason to look again, or to retry what was refused. */
  readonly ownAnnotations?: readonly string[];
  readonly concurrency?: number;
  readonly credentialsRef?: (input: { readonly object: O }) => SecretRef | undefined;
  /** As for machines. */
  readonly uses?: U;
  /** Opens the cloud. Without it there is none: the verbs work with the management API. */
  readonly connect?: (context: ConnectContext<O> & ClusterSurroundings<M> & Using<U>) => Api | Promise<Api>;
  readonly observe: (context: ClusterVerbContext<O, Api, M, U>) => Promise<ClusterObservation>;
  readonly create: (context: ClusterVerbContext<O, Api, M, U> & Writing) => Promise<ClusterFacts | void>;
  readonly steps?: Readonly<Record<string, (context: ClusterVerbContext<O, Api, M, U> & Handled) => Promise<void>>>;
  /** As for machines. */
  readonly mark?: (context: ClusterVerbContext<O, Api, M, U> & Handled) => Promise<void>;
  /** As for machines. */
  readonly operations?: OperationPolling<ClusterVerbContext<O, Api, M, U>>;
  /** As for machines. */
  readonly stages?: (input: { readonly object: O }) => readonly Stage[];
  /** Called until `observe` says absent, after every machine of the cluster, and every object of `otherUsers`, is gone. */
  readonly remove: (context: ClusterVerbContext<O, Api, M, U> & Handled) => Promise<void>;
}
