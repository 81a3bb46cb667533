import type { ControllerName } from "@capstan/apiserver";

/** Options of `capstan apiserver`. Files are named as given. */
export interface ApiserverOptions {
  readonly bindAddress: string;
  /** 0: the one used last, or any free one. */
  readonly securePort: number;
  readonly tlsCertFile: string | undefined;
  readonly tlsPrivateKeyFile: string | undefined;
  readonly clientCaFile: string | undefined;
  readonly tokenAuthFile: string | undefined;
  readonly serviceAccountKeyFiles: readonly string[];
  readonly serviceAccountSigningKeyFile: string | undefined;
  readonly serviceAccountIssuer: string | undefined;
  readonly serviceClusterIpRange: string | undefined;
  /** Default: no audit log. `-` is standard output. */
  readonly auditLogPath: string | undefined;
  readonly auditPolicyFile: string | undefined;
  /** In MiB. */
  readonly auditLogMaxsize: number;
  /** 0: all. */
  readonly auditLogMaxbackup: number;
  /** In days; 0: forever. */
  readonly auditLogMaxage: number;
  readonly dataDir: string;
  readonly inMemory: boolean;
  readonly controllers: readonly ControllerName[];
  /** Providers whose kinds are converted here: names, packages or paths. */
  readonly conversions: readonly string[];
  /** Folders whose manifests are kept applied. */
  readonly manifests: readonly string[];
  readonly manifestsPrune: boolean;
  readonly writeKubeconfig: string | undefined;
  readonly output: "text" | "json";
  readonly logLevel: "debug" | "info" | "warn" | "error" | "silent";
}
