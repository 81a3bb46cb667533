import type { Clock, Logger, Random } from "@capstan/contract";
import type { PermissionV1 } from "@capstan/contract/v1";
import type { ContractReference } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import type { KubeObject, Resource } from "@capstan/schema";
import type { ExternalKind, ExternalObject } from "../external/external-objects.ts";

/** What every function of a bootstrap author receives. */
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
  /** Sets a condition of the author's own, beside the role's DataSecretAvailable and Ready. */
  condition(condition: {
    readonly type: string;
    readonly status: "True" | "False" | "Unknown";
    readonly reason: string;
    readonly message?: string;
  }): void;
}

/** What came of rendering: the document, or why it cannot be made yet. */
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

/** What the author of a bootstrap config supplies; the role does the rest of the contract. */
export interface BootstrapAuthor<O extends KubeObject> {
  readonly kind: Resource<O>;
  readonly concurrency?: number;
  /** Conditions that Ready summarises beside DataSecretAvailable. */
  readonly readyInputs?: readonly string[];
  /** What the author's functions do with the management API beside what the role does, for the role. */
  readonly permissions?: readonly PermissionV1[];
  /** Calls `generate` again when an object changes that the config owns, of whatever kind. Default false. */
  readonly followsReferences?: boolean;
  /** Renders the document. Called until it says ready; called again only while the Secret does not exist. */
  readonly generate: (context: BootstrapContext<O>) => Promise<BootstrapOutcome>;
  /** Called while data exists and the Machine has no Node yet, for example to keep a token alive; not before the time that was asked for. */
  readonly refresh?: (context: BootstrapContext<O>) => Promise<{ readonly requeueAfterMs?: number }>;
  /**
   * Takes away what `generate` made outside of the config and its Secret, for example a token that nobody used; repeated until it
   * succeeds. Owners that are gone already are stood in for by their names. With it, the config has a finalizer.
   */
  readonly remove?: (context: BootstrapContext<O>) => Promise<void>;
  /** Called once the Machine has its Node; again by a process that starts within an hour after it, and for control planes by every one. */
  readonly joined?: (context: BootstrapContext<O>) => Promise<void>;
}
