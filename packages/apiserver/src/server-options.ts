import type { CapstanError, Clock, Logger, Random } from "@capstan/contract";
import type { CertificateAndKey, ServiceAccountKeys } from "@capstan/pki";
import type { KubeObject } from "@capstan/schema";
import type { AuditOptions } from "./audit/request-audit.ts";
import type { ExtensionFactory } from "./registry/extension.ts";
import type { ConnectPod, ReadPodLog } from "./model/pod-access.ts";
import type { User } from "./model/types.ts";

export interface ApiServerOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Default: silent. */
  readonly log?: Logger;
  /**
   * Default `memory`. A file is a SQLite database, made when missing; certificate authority and token keys are kept beside it in
   * `<file>.identity.json`.
   */
  readonly storage?: "memory" | { readonly file: string };
  /** Address to listen on. Default `127.0.0.1`. */
  readonly host?: string;
  /** Default 0: a free port. */
  readonly port?: number;
  /** Names and addresses, besides the host, that the server's certificate is valid for. */
  readonly certificateHosts?: readonly string[];
  /** Signs the server's certificate and is trusted for client certificates. Default: the server's own. */
  readonly certificateAuthority?: CertificateAndKey;
  /**
   * A given serving certificate (PEM, with its chain); client certificates are verified against `clientCA` (PEM bundle; default: the
   * server's own authority).
   */
  readonly tls?: CertificateAndKey & { readonly clientCA?: string };
  /** Further authorities (PEM bundle) whose client certificates are accepted. */
  readonly clientCA?: string;
  /** Bearer tokens and the users they stand for. */
  readonly tokens?: Readonly<Record<string, User>>;
  readonly serviceAccount?: {
    /** Default: the server's own. */
    readonly keys?: ServiceAccountKeys;
    /** PEM public keys whose tokens are accepted too: those of before a change of keys, or of another server. */
    readonly verificationKeys?: readonly string[];
    /** Default `https://kubernetes.default.svc.cluster.local`. */
    readonly issuer?: string;
  };
  /** Addresses of Services, of IPv4 or IPv6. Default `10.0.0.0/24`. */
  readonly serviceClusterIPRange?: string;
  /** Writes an audit log; the sink is closed when the server stops. Default: none is written. */
  readonly audit?: AuditOptions;
  /** Reaches what runs on Nodes, for `pods/portforward`. Default: that is answered 501. */
  readonly connectPod?: ConnectPod;
  /** Reads what containers have written, for `pods/log`. Default: that is answered 501. */
  readonly readPodLog?: ReadPodLog;
  /** Parts with a life of their own: custom resource definitions, webhooks, controllers. Default: `standardExtensions()`. */
  readonly extensions?: readonly ExtensionFactory[];
  /** Objects that are created at start unless they exist, in any order; custom resources may stand beside their definitions. */
  readonly manifests?: readonly KubeObject[];
  /** Called once, when the storage failed: nothing is accepted any more, and what was acknowledged is kept. */
  readonly onStorageFailed?: (failure: CapstanError) => void;
  /** Time for which `stop` waits for running requests before it disconnects them. Default 5000. */
  readonly stopTimeoutMs?: number;
}

/** A running API server. */
export interface ApiServer {
  /** Resolves when the server is ready. Throws what `sqliteBackend` and the listener throw. */
  start(): Promise<void>;
  /** Ends watches, lets requests finish, stops the extensions and closes the storage. */
  stop(): Promise<void>;
  /** For example `https://127.0.0.1:34567`. Known once started. */
  readonly url: string;
  /** PEM of the authority that signed the serving certificate. Known once started. */
  readonly caCertificate: string;
  /** The revision of the latest change: what is read stays the same as long as this does. Known once started. */
  readonly revision: number;
  /** A kubeconfig with a client certificate in group `system:masters`, valid for a year. */
  adminKubeconfig(): Promise<string>;
}
