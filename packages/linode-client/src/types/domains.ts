import type { Open } from "./api.ts";

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
  /** The problems that keep the domain from being served. */
  readonly errors?: string;
  readonly created: string;
  readonly updated: string;
}

/** The fields of a domain that can be set. */
export type WriteDomain = Partial<
  Omit<Domain, "id" | "created" | "updated" | "errors" | "tags" | "axfr_ips" | "master_ips">
> & {
  readonly tags?: readonly string[] | null;
  readonly axfr_ips?: readonly string[] | null;
  readonly master_ips?: readonly string[] | null;
};

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

export interface CloneDomain {
  readonly domain: string;
}

export interface ImportDomain extends CloneDomain {
  readonly remote_nameserver: string;
}
