import type { OptionSettings } from "../options/set-option-flag.ts";
import type { ReferenceRule } from "../cluster/reference-flags.ts";

/** The server of the object store that runs in this process. */
export interface StoreServerOptions {
  /** Prefix of URLs for machines. Default: the listening address, if the machines are simulated. */
  readonly address?: string | undefined;
  /** Default: loopback, the port used last, or any free one. */
  readonly listen?: { readonly host: string; readonly port: number } | undefined;
  /** PEM files; both or none. */
  readonly tlsCertFile?: string | undefined;
  readonly tlsPrivateKeyFile?: string | undefined;
}

/** Options of `capstan up`. */
export interface UpOptions {
  /** Files, folders, URLs, kustomizations or `-`. */
  readonly files: readonly string[];
  /** True if folders in folders are read. Default: their files alone. */
  readonly recursive?: boolean | undefined;
  /** Simulated clouds: names, packages or paths. */
  readonly simulate: readonly string[];
  /** Files with what simulated clouds begin with, by their names. */
  readonly seeds: Readonly<Record<string, string>>;
  /** Files that change while the command runs are applied again. */
  readonly watch: boolean;
  /** Applies files that have not changed too, and takes fields that others own. */
  readonly forceConflicts: boolean;
  /** Lets workers go that rules of version skew hold. Default: they are named. */
  readonly force?: boolean | undefined;
  /** Deletes objects of files applied earlier that are no longer in any of the files. Default: they are named. */
  readonly prune?: boolean;
  /** Applies what can be applied although something about the files is wrong. */
  readonly keepGoing: boolean;
  readonly dataDir: string;
  readonly inMemory: boolean;
  /** Port of the management API; 0: the one used last, or any free one. */
  readonly port: number;
  /** The providers to run: names, packages or paths. */
  readonly providers: readonly string[];
  /** Object stores for large bootstrap data: names, packages or paths. */
  readonly objectStores: readonly string[];
  /** Options of providers and object stores. Default: none. */
  readonly setOptions?: OptionSettings | undefined;
  /** Address and serving options of this computer's store. */
  readonly objectStoreServer: StoreServerOptions;
  /** The folder below which the files are that identities may name. Default: none may be named. */
  readonly credentialsFolder?: string | undefined;
  /** Which references into other namespaces are followed. Default: `admitted`. */
  readonly references?: ReferenceRule | undefined;
  /** Addresses and networks besides loopback, as `--allow-address` says. Default: none. */
  readonly allowedAddresses?: readonly string[] | undefined;
  /** Time limit for bootstrapping machines. Default: each provider's own. */
  readonly bootstrapTimeoutMs?: number | undefined;
  readonly until: "running" | undefined;
  /** For `until`, in milliseconds. */
  readonly timeoutMs: number;
  readonly output: "text" | "json";
  readonly logLevel: "debug" | "info" | "warn" | "error" | "silent";
  /** Namespace of objects that name none. */
  readonly namespace: string;
}
