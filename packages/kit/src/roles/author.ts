import type { Clock, Logger, Random, Secret } from "@capstan/contract";
import type { BootstrapDelivery, PermissionV1 } from "@capstan/contract/v1";
import type { ContractReference } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import type { KubeObject, Resource } from "@capstan/schema";
import type { ObjectStoreRequest } from "../delivery/object-store-request.ts";
import type { ExternalKind, ExternalObject } from "../external/external-objects.ts";

/** Who an infrastructure object is to the outside world. Look up by `tag` before creating anything. */
export interface Identity {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** `capstan-uid=<uid>` style value that a cloud stores with the resource; at most 64 characters of `[A-Za-z0-9:_=.-]`. */
  readonly tag: string;
  readonly clusterName: string;
}

/** The data of a credentials Secret, decoded. */
export interface Credentials {
  /** Throws `credentials.key_missing` naming the Secret and the key. */
  required(key: string): Secret<string>;
  optional(key: string): Secret<string> | undefined;
  /** Changes when the Secret changes; use it as the key of connection caches. Not a secret. */
  readonly fingerprint: string;
}

export interface SecretRef {
  readonly namespace?: string;
  readonly name: string;
}

/** What every verb receives. Verbs never sleep, never write to Kubernetes, and may be killed and called again at any point. */
export interface VerbContext<O extends KubeObject, Api> {
  readonly object: O;
  readonly identity: Identity;
  readonly api: Api;
  /** The owning Machine (machine shell) or Cluster (cluster shell), as plain JSON. */
  readonly owner: KubeObject;
  readonly cluster: KubeObject;
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

export interface MachineVerbContext<O extends KubeObject, Api> extends VerbContext<O, Api> {
  /** The infrastructure cluster object, if the Cluster has one and it exists. */
  readonly infraCluster: KubeObject | undefined;
  readonly controlPlane: boolean;
  /** `Machine.spec.failureDomain`. */
  readonly failureDomain: string | undefined;
  readonly version: string | undefined;
}

export interface CreateContext<O extends KubeObject, Api> extends MachineVerbContext<O, Api> {
  readonly bootstrap: BootstrapDelivery;
}

export interface MachineAddress {
  readonly type: "Hostname" | "ExternalIP" | "InternalIP" | "ExternalDNS" | "InternalDNS";
  readonly address: string;
}

/** Facts about an existing server. `status` is merged into the object's status. `spec` holds ids that upstream keeps in spec. */
export interface MachineFacts {
  readonly handle: string;
  readonly providerID?: string;
  readonly addresses?: readonly MachineAddress[];
  readonly failureDomain?: string;
  readonly interruptible?: boolean;
  readonly status?: Readonly<Record<string, unknown>>;
  readonly spec?: Readonly<Record<string, unknown>>;
}

/** A stage of slow work, as people are told of it: `booting since 10:32 (step 3 of 4)`. */
export interface Stage {
  /** What goes on, such as `booting`. */
  readonly name: string;
  /** Reasons of observations, and names of steps as reasons (`boot` is `Boot`), that belong to it. `Creating` is the shell's own. */
  readonly reasons: readonly string[];
}

/** How far something is that happens by itself. */
export interface Progress {
  /** 0 to 100. Told in quarters, so that it costs few writes. */
  readonly percent?: number;
  /** Milliseconds since the epoch, where the outside world knows when the stage began. Default: when it was first seen. */
  readonly startedAt?: number;
}

/** Outcomes of `observe`: expected outcomes are values, failures are thrown. */
export type MachineObservation =
  | { readonly state: "absent" }
  /** It exists and something has to happen: by itself (look again after `pollMs`), or by us (`step`, run at once). */
  | ({
      readonly state: "pending";
      readonly reason: string;
      readonly message?: string;
      readonly pollMs?: number;
      readonly step?: string;
    } & Progress &
      MachineFacts)
  | ({ readonly state: "present"; readonly step?: string } & MachineFacts)
  /** It exists and will not become a node without a user: reason and message say why. */
  | ({
      readonly state: "failed";
      readonly reason: string;
      readonly message: string;
      readonly pollMs?: number;
    } & MachineFacts)
  /** It is being deleted; a reason and a message tell what that takes, for example wiping disks. */
  | ({
      readonly state: "removing";
      readonly reason?: string;
      readonly message?: string;
      readonly pollMs?: number;
    } & Progress &
      MachineFacts);

/** What the author of an infrastructure machine supplies; the shell does the rest of the contract. */
export interface InfraMachineAuthor<O extends KubeObject, Api, Item = never> {
  readonly kind: Resource<O>;
  /** The infrastructure cluster kind that goes with this machine kind. */
  readonly clusterKind: Resource;
  readonly finalizer: string;
  /** Finalizers of older versions, removed when found. */
  readonly oldFinalizers?: readonly string[];
  readonly concurrency?: number;
  /** Where the credentials are; the first Secret reference wins. `undefined`: the provider's own. */
  readonly credentialsRef?: (input: {
    readonly object: O;
    readonly infraCluster: KubeObject | undefined;
  }) => SecretRef | undefined;
  readonly connect: (input: {
    readonly object: KubeObject;
    readonly credentials: Credentials | undefined;
  }) => Api | Promise<Api>;
  readonly objectStore?: (input: {
    readonly object: O;
    readonly infraCluster: KubeObject | undefined;
  }) => ObjectStoreRequest | undefined;
  /** Bootstrap formats the provider can hand over. Default: cloud-config only. */
  readonly formats?: readonly string[];
  /**
   * One list call that shows every server of a credential. With it, `observe` receives `item`: lists are shared by all
   * machines of the credential, and a list is never older than the machine's own last write.
   */
  readonly inventory?: {
    readonly scope: (input: { readonly object: O; readonly credentials: Credentials | undefined }) => string;
    readonly list: (input: {
      readonly api: Api;
      readonly call: { readonly signal: AbortSignal };
    }) => Promise<readonly Item[]>;
    readonly tagsOf: (item: Item) => readonly string[];
    /** Finds servers whose object got another uid, when it was moved here: they are known by `spec.providerID`. */
    readonly providerIDOf?: (item: Item) => string;
    /** While any machine of the scope is pending. */
    readonly pollMs: number;
    /** When all are settled. */
    readonly settledPollMs: number;
  };
  readonly observe: (
    context: MachineVerbContext<O, Api> & { readonly item: Item | undefined },
  ) => Promise<MachineObservation>;
  /**
   * Called after `observe` said absent, once bootstrap data is there. May be called again after a crash. What is known of the new server
   * by then may be returned: with its provider id recorded, no second one is ever made.
   */
  readonly create: (context: CreateContext<O, Api>) => Promise<MachineFacts | void>;
  /** Named steps an observation may ask for, for example `boot`. Each is idempotent; its name becomes the progress reason. */
  readonly steps?: Readonly<
    Record<
      string,
      (
        context: MachineVerbContext<O, Api> & {
          readonly handle: string;
          readonly item: Item | undefined;
        },
      ) => Promise<void>
    >
  >;
  /**
   * The stages of making a server, in order, or of removing it when the object has a deletionTimestamp. With them, conditions tell the
   * stage, when it began and how many there are; a change of stage is written, time that passes is not.
   */
  readonly stages?: (input: { readonly object: O }) => readonly Stage[];
  /** Called until `observe` says absent. */
  readonly remove: (context: MachineVerbContext<O, Api> & { readonly handle: string | undefined }) => Promise<void>;
}

export interface ClusterFacts {
  readonly endpoint?: { readonly host: string; readonly port: number };
  readonly failureDomains?: readonly {
    readonly name: string;
    readonly controlPlane?: boolean;
    readonly attributes?: Readonly<Record<string, string>>;
  }[];
  readonly status?: Readonly<Record<string, unknown>>;
  /** Merged into the object's spec, for ids that upstream keeps there. */
  readonly spec?: Readonly<Record<string, unknown>>;
}

export type ClusterObservation =
  | { readonly state: "absent" }
  | ({
      readonly state: "pending";
      readonly reason: string;
      readonly message?: string;
      readonly pollMs?: number;
      readonly step?: string;
    } & Progress &
      ClusterFacts)
  | ({ readonly state: "present"; readonly step?: string } & ClusterFacts)
  | ({
      readonly state: "failed";
      readonly reason: string;
      readonly message: string;
    } & ClusterFacts);

export interface ClusterVerbContext<O extends KubeObject, Api> extends VerbContext<O, Api> {
  /** This provider's control-plane machines of the cluster that are not being deleted, oldest first. */
  readonly controlPlaneMachines: readonly KubeObject[];
}

export interface InfraClusterAuthor<O extends KubeObject, Api> {
  readonly kind: Resource<O>;
  /** The machine kind whose control-plane members the cluster's load balancer serves. */
  readonly machineKind: Resource;
  readonly finalizer: string;
  readonly oldFinalizers?: readonly string[];
  readonly concurrency?: number;
  readonly credentialsRef?: (input: { readonly object: O }) => SecretRef | undefined;
  readonly connect: (input: {
    readonly object: KubeObject;
    readonly credentials: Credentials | undefined;
  }) => Api | Promise<Api>;
  readonly observe: (context: ClusterVerbContext<O, Api>) => Promise<ClusterObservation>;
  readonly create: (context: ClusterVerbContext<O, Api>) => Promise<void>;
  readonly steps?: Readonly<Record<string, (context: ClusterVerbContext<O, Api>) => Promise<void>>>;
  /** As for machines. */
  readonly stages?: (input: { readonly object: O }) => readonly Stage[];
  /** Called until `observe` says absent, after every machine of the cluster is gone. */
  readonly remove: (context: ClusterVerbContext<O, Api>) => Promise<void>;
}

export interface BootstrapContext<O extends KubeObject> {
  readonly object: O;
  readonly machine: KubeObject;
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
  /** Live access to the workload cluster; throws `workload.unreachable` (retry) when it does not answer. */
  workload(): Promise<Client>;
  /**
   * Objects of any kind in the config's namespace. Only for authors with `followsReferences`; others get
   * `kit.references_not_followed`.
   */
  readonly externals: {
    /** Throws what `ExternalObjects.kind` throws. */
    kind(reference: Pick<ContractReference, "apiGroup" | "kind">): Promise<ExternalKind>;
    /** `undefined` when the object does not exist. */
    find(reference: ContractReference): Promise<ExternalObject | undefined>;
  };
  /** Sets a condition of the author's own, beside the shell's DataSecretAvailable and Ready. */
  condition(condition: {
    readonly type: string;
    readonly status: "True" | "False" | "Unknown";
    readonly reason: string;
    readonly message?: string;
  }): void;
}

export type BootstrapOutcome =
  | {
      readonly state: "waiting";
      readonly reason: string;
      readonly message: string;
      readonly requeueAfterMs?: number;
    }
  | {
      readonly state: "ready";
      readonly value: string;
      readonly format: string;
      readonly requeueAfterMs?: number;
    };

export interface BootstrapAuthor<O extends KubeObject> {
  readonly kind: Resource<O>;
  readonly concurrency?: number;
  /** Conditions that Ready summarises beside DataSecretAvailable. */
  readonly readyInputs?: readonly string[];
  /** What the author's functions do with the management API beside what the shell does, for the role. */
  readonly permissions?: readonly PermissionV1[];
  /** Calls `generate` again when an object changes that the config owns, of whatever kind. Default false. */
  readonly followsReferences?: boolean;
  /** Renders the document. Called until it says ready; called again only while the Secret does not exist. */
  readonly generate: (context: BootstrapContext<O>) => Promise<BootstrapOutcome>;
  /** Called while data exists and the Machine has no Node yet, for example to keep a token alive; not before the time that was asked for. */
  readonly refresh?: (context: BootstrapContext<O>) => Promise<{ readonly requeueAfterMs?: number }>;
  /** Called once the Machine has its Node; again by a process that starts within an hour after it, and for control planes by every one. */
  readonly joined?: (context: BootstrapContext<O>) => Promise<void>;
}
