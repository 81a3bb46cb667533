import type { DefaultCredentialsV1 } from "@capstan/contract/v1";
import type { OptionSettings } from "../options/set-option-flag.ts";
import type { ReferenceRule } from "./reference-flags.ts";
import type { LogLevel } from "../terminal.ts";

/** Options of `capstan manager`. */
export interface ManagerOptions {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  /** The providers to run: names, packages or paths. */
  readonly providers: readonly string[];
  /** Object stores for large bootstrap data: names, packages or paths. */
  readonly objectStores: readonly string[];
  /** Options of providers and object stores. Default: none. */
  readonly setOptions?: OptionSettings | undefined;
  /** Empty: all. */
  readonly namespaces: readonly string[];
  readonly watchFilter: string | undefined;
  /** Whom the manager's own credentials serve. Default: no one. */
  readonly defaultCredentials?: DefaultCredentialsV1;
  /** Addresses and networks of this computer, its link or metadata services, to which users may have requests sent. Default: none. */
  readonly allowedAddresses?: readonly string[] | undefined;
  /** Reconciles at once, by kind; of `everyKind`: of those that are not named. */
  readonly concurrency: Readonly<Record<string, number>>;
  readonly syncPeriodMs: number;
  /** Time limit for bootstrapping machines; `undefined`: each provider's default. */
  readonly bootstrapTimeoutMs: number | undefined;
  /** Which references into other namespaces are followed. Default: `admitted`. */
  readonly references?: ReferenceRule | undefined;
  readonly leaderElect: boolean;
  readonly leaderElectName: string | undefined;
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
  /** The name of the installation that the manager belongs to. Default: `capstan`. */
  readonly installation?: string | undefined;
  /** Where managers, ServiceAccounts and Leases are. Default: the Pod's own, else `capstan-system`. */
  readonly systemNamespace: string | undefined;
  /** `undefined`: no diagnostics. */
  readonly diagnostics: { readonly host: string | undefined; readonly port: number } | undefined;
  /** Plain HTTP, and metrics for everybody. */
  readonly insecureDiagnostics: boolean;
  /** Where `/healthz` and `/readyz` are served over HTTP too. Default: nowhere. */
  readonly health?: { readonly host: string | undefined; readonly port: number } | undefined;
  readonly tlsCertFile: string | undefined;
  readonly tlsPrivateKeyFile: string | undefined;
  readonly install: boolean;
  readonly webhookUrl: string | undefined;
  readonly webhookService: string | undefined;
  readonly webhookPort: number | undefined;
  readonly output: "text" | "json";
  readonly logLevel: LogLevel;
  /** Notes logged before the start. Default: none. */
  readonly notes?: readonly string[];
}

/** In `concurrency`, every kind that is not named. */
export const everyKind = "*";

export const defaultSystemNamespace = "capstan-system";
