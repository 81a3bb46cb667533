import type { Clock, Logger, Random } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import type { Registry, RequestInfo, ResourceDefinition, ResourceStore, User } from "../model/types.ts";

/** Request that admission plugins decide about. */
export interface AdmissionRequest {
  readonly operation: "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
  readonly definition: ResourceDefinition;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** In the served version; absent for DELETE. */
  readonly object?: KubeObject;
  /** Absent for CREATE. */
  readonly oldObject?: KubeObject;
  readonly user: User;
  readonly dryRun: boolean;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions as the client gave them. */
  readonly options: Readonly<Record<string, unknown>>;
  warn(message: string): void;
  /** Adds an annotation to the audit event of the request; absent when none is written. */
  annotate?(key: string, value: string): void;
}

/** One link of the admission chain. A refusal is a thrown `StatusError`. */
export interface AdmissionPlugin {
  readonly name: string;
  /** Mutating: the new object, or nothing to leave it. Called in order. */
  readonly admit?: (request: AdmissionRequest) => Promise<KubeObject | void>;
  /** After all mutations and before validation, for creates and updates: may the user ask for this at all? Called in order. */
  readonly guard?: (request: AdmissionRequest) => Promise<void>;
  /** Validating. Called in order, after schema validation. */
  readonly validate?: (request: AdmissionRequest) => Promise<void>;
}

/** Environment of extensions (CRDs, webhooks, controllers). */
export interface ExtensionEnvironment {
  readonly registry: Registry;
  readonly store: ResourceStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** PEM of the certificate authority that clients of this server trust. */
  readonly caCertificate: string;
  /** Returns whether a user may do something with an object; the empty name means all objects. */
  allows(user: User, access: Pick<RequestInfo, "verb" | "group" | "resource" | "namespace" | "name">): boolean;
  /** Signs a token for a ServiceAccount, as TokenRequest does; without `expiresInSeconds` it does not expire (token Secrets). */
  issueServiceAccountToken(account: {
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
    readonly expiresInSeconds?: number;
    readonly audiences?: readonly string[];
    /** The Secret that holds the token and makes it void when it goes. */
    readonly bound?: { readonly kind: "Secret"; readonly name: string; readonly uid: string };
  }): Promise<string>;
}

/** A figure of an extension that `/metrics` tells. */
export interface ExtensionGauge {
  readonly name: string;
  readonly help: string;
  /** Asked at every scrape. */
  value(): number;
}

/** A part of the server with its own life: CRDs, admission webhooks, a controller. */
export interface Extension {
  readonly name: string;
  /** Registered before the server starts; wins over built-in definitions of the same group, version and plural. */
  readonly definitions?: readonly ResourceDefinition[];
  readonly admission?: readonly AdmissionPlugin[];
  readonly gauges?: readonly ExtensionGauge[];
  /** Called when storage is open and before requests are answered. The server is ready when all have resolved. */
  start?(): void | Promise<void>;
  /** Throws the reason why the server is not ready yet, for `/readyz`. */
  ready?(): void;
  /** Resolves when nothing of it runs any more. */
  stop?(): void | Promise<void>;
}

export type ExtensionFactory = (environment: ExtensionEnvironment) => Extension;
