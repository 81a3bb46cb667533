import type { Clock, Random } from "@capstan/contract";
import type { MergePatch } from "@capstan/contract/wire";
import type { Kind, Resource } from "@capstan/schema";
import type { ManagedWorld } from "./managers.ts";

/** How calls to the cloud go wrong. */
export interface CloudFault {
  readonly on: "create" | "delete";
  /** `refused`: nothing happens; `lost-answer`: it happens but the caller is not told; `throttled`: 429 or what stands for it. */
  readonly kind: "refused" | "lost-answer" | "throttled";
  readonly times: number;
  /** With `throttled`. */
  readonly retryAfterMs?: number;
}

/** A simulated cloud and the provider that works with it. */
export interface InfraMachineCloud extends ManagedWorld {
  /** How many servers there are for an infrastructure machine. */
  serversOf(uid: string): number | Promise<number>;
  /** Times (of the environment's clock) at which a server's creation was asked for. */
  creations(): readonly number[];
  disturb(fault: CloudFault): void;
  /** Takes a machine's server away behind the provider's back. */
  destroy(uid: string): void | Promise<void>;
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
  start(environment: { readonly clock: Clock; readonly random: Random }): Promise<InfraMachineCloud>;
  /** Names of cases this provider cannot pass, each with the reason. */
  readonly skip?: Readonly<Record<string, string>>;
}
