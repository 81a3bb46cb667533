import type { PermissionV1 } from "@capstan/contract/v1";
import type { ConditionInput, ContractReference } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import type { KubeObject, Resource } from "@capstan/schema";
import type { WorkloadAccount } from "../../workload/workload-account.ts";
import type { VerbContext, Waiting } from "../../engine/author.ts";
import type { Machine, MachineSettings } from "../../machines/machine.ts";
import type { ClusterAccess } from "../bootstrap/cluster-access.ts";
import type { Member } from "./member.ts";

type Texts = Readonly<Record<string, string>>;

/** The Machines that a control plane object asks for, read from its fields. */
export interface DesiredControlPlane {
  /** `undefined` while no one has said: then no Machine is made and none deleted. */
  readonly replicas: number | undefined;
  readonly version: string | undefined;
  /** The template of the infrastructure machines. */
  readonly infrastructureRef: ContractReference;
  /** Labels and annotations of Machines, their bootstrap configs and their infrastructure machines. */
  readonly metadata?: { readonly labels?: Texts; readonly annotations?: Texts };
  /** Fields that follow in place, without a rollout. */
  readonly settings?: MachineSettings;
  /** Template of names, with `.cluster.name`, `.random`, and `.<kind>.name` of the object, for example `.kubeadmControlPlane.name`. */
  readonly naming?: string;
  readonly rollout?: {
    /** Machines above the number wanted, while some are replaced: 0 or 1. Default 1. */
    readonly maxSurge?: number;
    /** Machines made before this time are replaced once it has passed. RFC 3339. */
    readonly after?: string;
    readonly before?: { readonly certificatesExpiryDays?: number };
  };
  readonly remediation?: RemediationPolicy;
}

/** Limits for replacing a Machine that is repeatedly unhealthy. */
export interface RemediationPolicy {
  /** Default: without limit. */
  readonly maxRetry?: number;
  /** Between two tries. Default 0. */
  readonly retryPeriodSeconds?: number;
  /** After this long a failure is a new one, and counting starts over. Default 3600. */
  readonly minHealthyPeriodSeconds?: number;
}

/** The argument of every function of an author. The functions never sleep, and may be killed and called again at any point. */
export interface ControlPlaneContext<O extends KubeObject> extends Omit<VerbContext<O, never>, "api"> {
  readonly cluster: KubeObject;
  /** The API server answered once. */
  readonly initialized: boolean;
  /** Machines of the control plane, oldest first, with those that are being deleted. */
  readonly members: readonly Member[];
  /** The management API. */
  readonly client: Client;
  /** A Secret of its namespace as it was last seen, read once per version; a change of it wakes the object. */
  readonly seenSecret: NonNullable<ClusterAccess["seenSecret"]>;
  readonly madeSecret: NonNullable<ClusterAccess["madeSecret"]>;
  /** Live access to the workload cluster; throws `workload.unreachable` (retry) when it does not answer. */
  workload(): Promise<Client>;
  /** Sets a condition of the author's own on the control plane object. */
  condition(condition: ConditionInput): void;
  /** Sets fields of the author's own in its status; `null` removes one. */
  status(fields: Readonly<Record<string, unknown>>): void;
}

/** The role of a Machine: it initializes the cluster, or joins it. */
export type MemberRole = "init" | "join";

/** The state of the running cluster, as the author has observed it. */
export interface ControlPlaneHealth {
  /** Conditions of Machines, by their names. */
  readonly machines?: Readonly<Record<string, readonly ConditionInput[]>>;
  /** Names of Machines on which something is known to be broken: they are replaced before others. */
  readonly broken?: readonly string[];
  /** Why the control plane is not available, though it was initialized. Default: when none of its Machines is available. */
  readonly unavailable?: readonly string[];
  /** Why no Machine may be made or deleted for a rollout or for the number of replicas. */
  readonly blockers?: readonly string[];
  /** When to look again, where nothing wakes the object. */
  readonly requeueAfterMs?: number;
}

/** One Machine, in the company of the others. */
export interface OfMember {
  readonly member: Member;
}

/**
 * The functions of a control plane's author; the role does the rest: Machines in order, names, failure domains, rollout, scaling,
 * remediation, adoption, deletion, labels and settings in place, conditions and counters of both contracts.
 */
export interface ControlPlaneAuthor<O extends KubeObject> {
  readonly kind: Resource<O>;
  readonly finalizer: string;
  readonly oldFinalizers?: readonly string[];
  readonly concurrency?: number;
  /** Field manager of Machines; labels and annotations of their objects have the same with `-metadata`. */
  readonly fieldManager: string;
  /** Kind of the bootstrap configs. */
  readonly configKind: Resource;
  /** Requests of its functions to the management API, in addition to those of the role. */
  readonly permissions?: readonly PermissionV1[];
  /** As whom its functions work in the workload cluster. Default: the user of the cluster's kubeconfig, with all its rights. */
  readonly workload?: WorkloadAccount;
  readonly desired: (object: O) => DesiredControlPlane;
  /** The spec of the bootstrap config of a Machine that is made now. It may be asked for again until the config exists. */
  readonly bootstrapConfig: (input: {
    readonly object: O;
    readonly cluster: KubeObject;
    readonly role: MemberRole;
    readonly machine: Machine;
  }) => Readonly<Record<string, unknown>>;
  /** Annotations that a Machine gets when it is made, and keeps. */
  readonly annotations?: (object: O) => Texts;
  /** Why a Machine has to be replaced, beside its version, its infrastructure template and its age. */
  readonly outdated?: (input: {
    readonly object: O;
    readonly member: Omit<Member, "outdated" | "broken">;
  }) => readonly string[];
  /** Makes what the first Machine needs, or says why it waits. Called before there is an endpoint. */
  readonly certificates?: (context: ControlPlaneContext<O>) => Promise<Waiting | void>;
  /** Makes and renews the kubeconfig Secret, or says why it waits. Called once there is an endpoint. */
  readonly kubeconfig?: (context: ControlPlaneContext<O>) => Promise<Waiting | void>;
  /** Returns whether the API server answers as it should, until it did once. Default: when it can be reached. */
  readonly initialized?: (context: ControlPlaneContext<O>) => Promise<boolean>;
  /** Looks at the cluster that runs, and puts right what no one else does. Called when there are Machines, initialized or not. */
  readonly observe?: (context: ControlPlaneContext<O>) => Promise<ControlPlaneHealth>;
  /**
   * Why the next step must wait. Default: while a Machine that stays has no Node. No step is taken in any case while a Machine is being
   * deleted.
   */
  readonly preflight?: (
    context: ControlPlaneContext<O> & {
      readonly action: "scaleUp" | "scaleDown";
      /** The Machine that would go. */
      readonly leaving: Member | undefined;
      /** The new Machine takes the place of one that was remediated: others may be unhealthy, too, and wait for it. */
      readonly replacing: boolean;
    },
  ) => readonly string[] | Promise<readonly string[]>;
  /** Brings the cluster to what new Machines expect. Called before each step of a rollout. */
  readonly beforeRollout?: (context: ControlPlaneContext<O>) => Promise<Waiting | void>;
  /** Called before a Machine is deleted, for example to let another lead. */
  readonly beforeDeletion?: (context: ControlPlaneContext<O> & OfMember) => Promise<Waiting | void>;
  /** Holds a Machine that is being deleted before it is drained, until `run` is through. The last Machine is let go at once. */
  readonly drainHook?: {
    /** The part of the annotation behind the slash. */
    readonly name: string;
    /** False: no Machine is held, and those that are held are let go. */
    readonly isWanted: (object: O) => boolean;
    readonly run: (context: ControlPlaneContext<O> & OfMember) => Promise<Waiting | void>;
  };
  /** Holds a Machine that is being deleted, drained and waited for, until `run` is through; one Machine after another. */
  readonly terminationHook?: {
    /** The name of the annotation after the slash. */
    readonly name: string;
    /** Whole annotations by which earlier managers held Machines for the same; they go with it. */
    readonly formerly?: readonly string[];
    /**
     * Takes the Machine out of the cluster, or says why it waits. Not called when the object goes, nor for the last Machine: that waits for
     * another to be made in its place, and is let go at once before there is a cluster. Where it waits for the reason
     * `ControlPlaneReason.waitingForQuorum`, unhealthy Machines are replaced meanwhile.
     */
    readonly run: (context: ControlPlaneContext<O> & OfMember) => Promise<Waiting | void>;
  };
  /** Types of conditions of Machines, the most important first: unhealthy Machines that lack one are replaced before others. */
  readonly urgency?: readonly string[];
  /** Why an unhealthy Machine must not be replaced now. Called once the control plane is initialized. */
  readonly beforeRemediation?: (context: ControlPlaneContext<O> & OfMember) => Promise<readonly string[]>;
  /** Called for a Machine that no one controls before it becomes the control plane's own. */
  readonly beforeAdoption?: (context: ControlPlaneContext<O> & { readonly machine: Machine }) => Promise<void>;
  /** Called when all Machines are there and up to date. */
  readonly upkeep?: (context: ControlPlaneContext<O>) => Promise<void>;
}
