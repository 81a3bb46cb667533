import type { MergePatch } from "@capstan/contract/wire";
import type { Kind, Resource } from "@capstan/schema";
import type { ClaimedObjects } from "./claimed-objects.ts";
import type { SuiteEnvironment } from "./environment.ts";
import type { ManagedWorld } from "./managers.ts";

/** Failure of calls to the cloud. */
export interface CloudFault {
  readonly on: "create" | "delete";
  /** `refused`: nothing happens; `lost-answer`: it happens but the caller is not told; `throttled`: 429 or what stands for it. */
  readonly kind: "refused" | "lost-answer" | "throttled";
  readonly times: number;
  /** With `throttled`. */
  readonly retryAfterMs?: number;
}

/** A simulated cloud and the provider that works with it. Made for every case; the machines of one case share it. */
export interface InfraMachineCloud extends ManagedWorld {
  /**
   * Returns the number of servers of an infrastructure machine; where machines are claimed, the number that it has
   * claimed.
   */
  serversOf(uid: string): number | Promise<number>;
  /** The spec of a machine in a namespace, where it depends on what `start` made or differs from scene to scene. Default: that of the subject. */
  machineSpec?(namespace: string): MergePatch | Promise<MergePatch>;
  /** The spec of a cluster in a namespace, where it depends on what `start` made or differs from scene to scene. Default: that of the subject. */
  clusterSpec?(namespace: string): MergePatch | Promise<MergePatch>;
  /**
   * Returns the number of all parts of an infrastructure machine: its servers and their components. Default: its
   * servers.
   */
  partsOf?(uid: string): number | Promise<number>;
  /** Times (of the environment's clock) at which a server's creation was asked for. Not where machines are claimed. */
  creations?(): readonly number[];
  /** Not where machines are claimed: there the suite disturbs what the provider writes to what it claims. */
  disturb?(fault: CloudFault): void;
  /** Takes a machine's server away behind the provider's back. */
  destroy(uid: string): void | Promise<void>;
  /** From now on no one answers calls to the cloud, or everybody again. With `outages` of the subject. */
  outage?(on: boolean): void | Promise<void>;
  /** Forgets the long-running operations that are under way, though they come to their end. With `operations` of the subject. */
  loseOperations?(): void;
  /**
   * The operation of the next creation of a server fails, though the call that starts it does not. Answers words of what the condition
   * `Ready` shall say then. With `operations` of the subject.
   */
  failOperation?(): string;
  stop?(): Promise<void>;
}

/** An infrastructure provider to be put through the suite. */
export interface InfraMachineSubject {
  /** All kinds that have to be installed. */
  readonly kinds: readonly Kind[];
  readonly machineKind: Resource;
  readonly clusterKind: Resource;
  /** Specs of objects that work. */
  readonly machineSpec: MergePatch;
  readonly clusterSpec: MergePatch;
  /** Secrets that the specs refer to: base64 data by name. */
  readonly secrets?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Servers are made and removed by operations that are saved on the object. Default false. */
  readonly operations?: boolean;
  /** The cloud can be out of reach. Default false. */
  readonly outages?: boolean;
  /** Present when machines are claimed. There are three in every namespace. */
  readonly claims?: ClaimedObjects;
  start(environment: SuiteEnvironment): Promise<InfraMachineCloud>;
  /** Names of cases this provider cannot pass, each with the reason. */
  readonly skip?: Readonly<Record<string, string>>;
}
