import type { Open } from "./api.ts";

export interface Bucket {
  readonly label: string;
  readonly region: string;
  readonly cluster: string;
  readonly hostname: string;
  readonly s3_endpoint?: string;
  readonly endpoint_type?: Open<"E0" | "E1" | "E2" | "E3">;
  readonly created: string;
  readonly objects: number;
  readonly size: number;
}

export type BucketAcl = "private" | "public-read" | "authenticated-read" | "public-read-write";

export interface CreateBucket {
  readonly label: string;
  readonly region: string;
  readonly acl?: BucketAcl;
  readonly cors_enabled?: boolean;
}

export interface BucketAccess {
  readonly acl: Open<BucketAcl | "custom">;
  readonly cors_enabled: boolean | null;
}

export interface ObjectStorageKey {
  readonly id: number;
  readonly label: string;
  readonly access_key: string;
  /** Complete only in the answer to `create`; afterwards `[REDACTED]`. */
  readonly secret_key: string;
  readonly limited: boolean;
  readonly bucket_access:
    | readonly {
        readonly bucket_name: string;
        readonly permissions: "read_only" | "read_write";
        readonly region: string;
      }[]
    | null;
}

export interface CreateObjectStorageKey {
  readonly label: string;
  readonly regions?: readonly string[];
  readonly bucket_access?: readonly {
    readonly bucket_name: string;
    readonly permissions: "read_only" | "read_write";
    readonly region: string;
  }[];
}

export interface Domain {
  readonly id: number;
  readonly domain: string;
  readonly type: Open<"master" | "slave">;
  readonly status: Open<"active" | "disabled">;
  readonly soa_email: string;
  readonly description: string;
  readonly group: string;
  readonly tags: readonly string[];
  readonly axfr_ips: readonly string[];
  readonly master_ips: readonly string[];
  readonly ttl_sec: number;
  readonly refresh_sec: number;
  readonly retry_sec: number;
  readonly expire_sec: number;
  readonly created: string;
  readonly updated: string;
}

/** What of a domain can be set. */
export type WriteDomain = Partial<Omit<Domain, "id" | "created" | "updated">>;

export interface DomainRecord {
  readonly id: number;
  readonly type: Open<"A" | "AAAA" | "NS" | "MX" | "CNAME" | "TXT" | "SRV" | "PTR" | "CAA">;
  readonly name: string;
  readonly target: string;
  readonly ttl_sec: number;
  readonly priority?: number;
  readonly weight?: number;
  readonly port?: number;
  readonly service?: string | null;
  readonly protocol?: string | null;
  readonly tag?: string | null;
  readonly created?: string;
  readonly updated?: string;
}

export interface WriteDomainRecord {
  readonly type?: "A" | "AAAA" | "NS" | "MX" | "CNAME" | "TXT" | "SRV" | "PTR" | "CAA";
  readonly name?: string;
  readonly target?: string;
  readonly ttl_sec?: number;
  readonly priority?: number;
  readonly weight?: number;
  readonly port?: number;
  readonly service?: string | null;
  readonly protocol?: string | null;
  readonly tag?: "issue" | "issuewild" | "iodef" | null;
}

export interface Region {
  readonly id: string;
  readonly label: string;
  readonly country: string;
  readonly status: Open<"ok" | "outage">;
  readonly capabilities: readonly string[];
  readonly resolvers: { readonly ipv4: string; readonly ipv6: string };
  readonly site_type?: Open<"core" | "distributed">;
  readonly placement_group_limits?: {
    readonly maximum_pgs_per_customer: number | null;
    readonly maximum_linodes_per_pg: number;
  } | null;
}

export interface RegionAvailability {
  readonly region: string;
  readonly plan: string;
  readonly available: boolean;
}

export interface InstanceType {
  readonly id: string;
  readonly label: string;
  readonly class: Open<"nanode" | "standard" | "dedicated" | "premium" | "gpu" | "highmem">;
  /** MB. */
  readonly disk: number;
  /** MB. */
  readonly memory: number;
  readonly vcpus: number;
  readonly gpus: number;
  readonly transfer: number;
  readonly network_out: number;
  readonly price: { readonly hourly: number; readonly monthly: number };
  readonly successor: string | null;
}

export interface Kernel {
  readonly id: string;
  readonly label: string;
  readonly version: string;
  readonly architecture: Open<"x86_64" | "i386">;
  readonly kvm: boolean;
  readonly pvops: boolean;
  readonly deprecated: boolean;
  readonly built: string;
}

export interface Image {
  readonly id: string;
  readonly label: string;
  readonly description: string | null;
  readonly type: Open<"manual" | "automatic">;
  readonly status: Open<"creating" | "pending_upload" | "available">;
  readonly is_public: boolean;
  readonly deprecated: boolean;
  /** MB. */
  readonly size: number;
  readonly vendor: string | null;
  readonly capabilities: readonly string[];
  readonly regions?: readonly { readonly region: string; readonly status: string }[];
  readonly created: string;
  readonly updated: string;
  readonly eol: string | null;
}

export interface StackScript {
  readonly id: number;
  readonly label: string;
  readonly description: string;
  readonly images: readonly string[];
  readonly is_public: boolean;
  readonly mine: boolean;
  readonly rev_note: string;
  readonly script: string;
  readonly username: string;
  readonly user_gravatar_id?: string;
  readonly deployments_active?: number;
  readonly deployments_total?: number;
  /** What the script asks for at deployment; without a default it has to be given. */
  readonly user_defined_fields?: readonly {
    readonly name: string;
    readonly label: string;
    readonly default?: string;
    readonly example?: string;
    readonly oneOf?: string;
    readonly manyOf?: string;
  }[];
  readonly created: string;
  readonly updated: string;
}

export interface CreateStackScript {
  readonly label: string;
  readonly images: readonly string[];
  readonly script: string;
  readonly description?: string;
  readonly is_public?: boolean;
  readonly rev_note?: string;
}

export interface Volume {
  readonly id: number;
  readonly label: string;
  readonly status: Open<"creating" | "active" | "resizing" | "key_rotating">;
  readonly region: string;
  /** GB. */
  readonly size: number;
  readonly linode_id: number | null;
  readonly filesystem_path: string;
  readonly tags: readonly string[];
  readonly created: string;
  readonly updated: string;
}

export type EventStatus = Open<"scheduled" | "started" | "finished" | "failed" | "notification">;

export interface AccountEvent {
  readonly id: number;
  /** For example `linode_boot`. */
  readonly action: string;
  readonly status: EventStatus;
  readonly entity: {
    readonly id: number | string;
    readonly type: string;
    readonly label: string | null;
    readonly url: string | null;
  } | null;
  readonly secondary_entity?: {
    readonly id: number | string;
    readonly type: string;
    readonly label: string | null;
    readonly url: string | null;
  } | null;
  readonly created: string;
  readonly duration: number | null;
  readonly message: string | null;
  readonly percent_complete: number | null;
  readonly rate?: string | null;
  readonly time_remaining?: number | null;
  readonly username: string | null;
  readonly seen: boolean;
  readonly read: boolean;
}
