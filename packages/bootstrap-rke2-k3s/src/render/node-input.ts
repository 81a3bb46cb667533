import type { Data, FileEntry, PemPairs } from "@capstan/kit/bootstrap";

/** Role of a machine in its cluster: the first server, a further one, or a worker. */
export type Role = "init" | "join" | "agent";

type Settings = Readonly<Record<string, unknown>>;

/** Input of a distribution's rows: the sections of the specs by the names that rows use, and facts of the Cluster. */
export interface Source {
  readonly agent: Settings;
  readonly server: Settings;
  readonly cluster: {
    readonly endpointHost: string;
    /** Where machines register, when that is not the address of a server itself. */
    readonly registrationAddress?: string | undefined;
    readonly podCidrs: readonly string[];
    readonly serviceCidrs: readonly string[];
    readonly serviceDomain?: string | undefined;
  };
}

/** Settings that override the distribution's default installation. */
export interface InstallerSettings {
  /** Where the script is instead. */
  readonly url?: string;
  /** Further variables of the script; those of proxies are the download's too. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Everything about one machine. The parts are resolved: nothing is read from anywhere. */
export interface NodeInput {
  readonly role: Role;
  readonly version: string;
  /** Token that this machine joins with. */
  readonly token: string;
  /** Token that workers join with, for servers, when it differs. */
  readonly agentToken?: string | undefined;
  /** URL of a server that is there already; absent for the first one. */
  readonly server?: string | undefined;
  readonly source: Source;
  /** Data of the objects that reference rows name, by their `from`. */
  readonly references: ReadonlyMap<string, Data>;
  readonly registryFiles: readonly FileEntry[];
  readonly files: readonly FileEntry[];
  /** Names and contents of manifests that the first servers apply. */
  readonly manifests: Data;
  /** For the first server. */
  readonly certificates: PemPairs;
  readonly preCommands: readonly string[];
  readonly postCommands: readonly string[];
  /** Keys of config.yaml in the distribution's own words; they win. */
  readonly extraConfig: Settings;
  readonly installer?: InstallerSettings | undefined;
}

export const isServer = ({ role }: Pick<NodeInput, "role">): boolean => role !== "agent";
