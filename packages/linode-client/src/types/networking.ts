import type { Open } from "./api.ts";

export interface NodeBalancer {
  readonly id: number;
  readonly label: string;
  readonly region: string;
  readonly hostname: string;
  readonly ipv4: string;
  readonly ipv6: string | null;
  readonly tags: readonly string[];
  readonly client_conn_throttle: number;
  /** New sessions of UDP a client may open in a second. */
  readonly client_udp_sess_throttle?: number;
  readonly type?: Open<"common" | "premium" | "premium_40gb">;
  /** MB of this month. */
  readonly transfer?: { readonly in: number | null; readonly out: number | null; readonly total: number | null };
  /** Where its address is from, and the subnet of a VPC where it is from there. */
  readonly frontend_address_type?: Open<"public" | "vpc">;
  readonly frontend_vpc_subnet_id?: number | null;
  readonly lke_cluster?: {
    readonly id: number;
    readonly label: string;
    readonly type: string;
    readonly url: string;
  } | null;
  /** Kinds of locks that it has. */
  readonly locks?: readonly string[];
  readonly created: string;
  readonly updated: string;
}

/** Only the fields given change. */
export type UpdateNodeBalancerNode = Partial<CreateNodeBalancerNode>;

export interface CreateNodeBalancer {
  readonly region: string;
  readonly label?: string;
  readonly tags?: readonly string[] | null;
  readonly client_conn_throttle?: number;
  /** New sessions of UDP a client may open in a second. */
  readonly client_udp_sess_throttle?: number;
  readonly type?: Open<"common" | "premium" | "premium_40gb">;
  /** A reserved address of the account. */
  readonly ipv4?: string;
  readonly firewall_id?: number;
  /** Ports that it has from the start. */
  readonly configs?: readonly CreateNodeBalancerConfig[];
  readonly vpcs?: readonly {
    readonly subnet_id: number;
    readonly ipv4_range?: string;
    readonly ipv4_range_auto_assign?: boolean;
    readonly ipv6_range?: string;
  }[];
}

export interface UpdateNodeBalancer {
  readonly label?: string;
  readonly tags?: readonly string[];
  readonly client_conn_throttle?: number;
  readonly client_udp_sess_throttle?: number;
}

export interface NodeBalancerConfig {
  readonly id: number;
  readonly nodebalancer_id: number;
  readonly port: number;
  readonly protocol: Open<"tcp" | "http" | "https">;
  readonly algorithm: Open<"roundrobin" | "leastconn" | "source">;
  readonly stickiness: Open<"none" | "table" | "http_cookie">;
  readonly check: Open<"none" | "connection" | "http" | "http_body">;
  readonly check_interval: number;
  readonly check_timeout: number;
  readonly check_attempts: number;
  readonly check_path: string;
  readonly check_body: string;
  readonly check_passive: boolean;
  readonly proxy_protocol: Open<"none" | "v1" | "v2">;
  readonly cipher_suite?: Open<"recommended" | "legacy">;
  readonly ssl_cert?: string | null;
  readonly ssl_key?: string | null;
  readonly ssl_commonname?: string;
  readonly ssl_fingerprint?: string;
  readonly udp_check_port?: number;
  /** Seconds. */
  readonly udp_session_timeout?: number;
  readonly nodes_status: { readonly up: number; readonly down: number };
}

export interface UpdateNodeBalancerConfig {
  readonly port?: number;
  readonly protocol?: "tcp" | "http" | "https" | "udp";
  readonly algorithm?: "roundrobin" | "leastconn" | "source" | "ring_hash";
  readonly stickiness?: "none" | "table" | "http_cookie" | "session" | "source_ip";
  readonly check?: "none" | "connection" | "http" | "http_body";
  readonly check_interval?: number;
  readonly check_timeout?: number;
  readonly check_attempts?: number;
  readonly check_path?: string;
  readonly check_body?: string;
  readonly check_passive?: boolean;
  readonly proxy_protocol?: "none" | "v1" | "v2";
  readonly cipher_suite?: "recommended" | "legacy" | "none";
  readonly udp_check_port?: number;
  readonly ssl_cert?: string;
  readonly ssl_key?: string;
}

export interface CreateNodeBalancerConfig extends UpdateNodeBalancerConfig {
  readonly port: number;
  readonly nodes?: readonly CreateNodeBalancerNode[];
}

export interface NodeBalancerNode {
  readonly id: number;
  readonly nodebalancer_id: number;
  readonly config_id: number;
  readonly label: string;
  /** `ip:port`. */
  readonly address: string;
  readonly mode: Open<"accept" | "reject" | "drain" | "backup">;
  readonly weight: number;
  readonly status: Open<"Unknown" | "UP" | "DOWN">;
  readonly vpc_config_id?: number | null;
}

export interface CreateNodeBalancerNode {
  readonly label: string;
  readonly address: string;
  readonly mode?: "accept" | "reject" | "drain" | "backup";
  readonly weight?: number;
  readonly subnet_id?: number;
}

export interface VpcSubnet {
  readonly id: number;
  readonly label: string;
  readonly ipv4: string;
  readonly ipv6?: readonly { readonly range: string }[] | null;
  readonly databases?: readonly { readonly id: number }[];
  readonly vpc_type?: Open<"regular" | "rdma">;
  readonly linodes: readonly {
    readonly id: number;
    readonly interfaces?: readonly {
      readonly id: number;
      readonly config_id?: number | null;
      readonly active: boolean;
    }[];
  }[];
  readonly nodebalancers?: readonly { readonly id: number; readonly ipv4_range: string }[];
  readonly created: string;
  readonly updated: string | null;
}

export interface CreateVpcSubnet {
  readonly label: string;
  readonly ipv4?: string;
  readonly ipv6?: readonly { readonly range: string }[];
}

export interface Vpc {
  readonly id: number;
  readonly label: string;
  readonly description: string;
  readonly region: string;
  readonly ipv4?: readonly { readonly range: string }[];
  readonly ipv6?: readonly { readonly range: string }[] | null;
  readonly vpc_type?: Open<"regular" | "rdma">;
  readonly subnets: readonly VpcSubnet[];
  readonly created: string;
  readonly updated: string | null;
}

export interface CreateVpc {
  readonly label: string;
  readonly region: string;
  readonly description?: string;
  readonly ipv4?: readonly { readonly range: string }[];
  readonly ipv6?: readonly { readonly range?: string; readonly allocation_class?: string }[];
  readonly subnets?: readonly CreateVpcSubnet[];
  readonly vpc_type?: "regular" | "rdma";
}

/** Ranges that a VPC has where none is given, and those that none may have. */
export interface VpcDefaultRanges {
  readonly default_ipv4_ranges: readonly string[];
  readonly forbidden_ipv4_ranges: readonly string[];
}

export interface UpdateVpc {
  readonly label?: string;
  readonly description?: string;
  readonly ipv4?: readonly { readonly range: string }[];
}

export interface PlacementGroup {
  readonly id: number;
  readonly label: string;
  readonly region: string;
  readonly placement_group_type: Open<"anti_affinity:local">;
  readonly placement_group_policy: Open<"strict" | "flexible">;
  readonly is_compliant: boolean;
  readonly members: readonly { readonly linode_id: number; readonly is_compliant: boolean }[];
  readonly migrations?: {
    readonly inbound?: readonly { readonly linode_id: number }[];
    readonly outbound?: readonly { readonly linode_id: number }[];
  } | null;
}

export interface PlacementGroupMembers {
  readonly linodes: readonly number[];
}

/** With `compliant_only` nothing is assigned that would break the rules of the group. */
export interface AssignPlacementGroup extends PlacementGroupMembers {
  readonly compliant_only?: boolean;
}

export interface CreatePlacementGroup {
  readonly label: string;
  readonly region: string;
  readonly placement_group_type: "anti_affinity:local";
  readonly placement_group_policy: "strict" | "flexible";
}

/** The entity that has an address. */
export interface AssignedEntity {
  readonly id: number;
  readonly label: string;
  readonly type: Open<"linode" | "nodebalancer">;
  readonly url: string;
}

/** An address of the account, of either family. */
export interface IpAddress {
  readonly address: string;
  readonly type: Open<"ipv4" | "ipv6" | "ipv6/pool" | "ipv6/range">;
  readonly public: boolean;
  readonly prefix: number;
  readonly region: string;
  readonly linode_id: number | null;
  readonly interface_id?: number | null;
  readonly gateway: string | null;
  readonly subnet_mask: string;
  readonly rdns: string | null;
  readonly reserved?: boolean;
  readonly vpc_nat_1_1?: { readonly address: string; readonly subnet_id: number; readonly vpc_id: number } | null;
  readonly assigned_entity?: AssignedEntity | null;
  /** Only on a reserved address. */
  readonly tags?: readonly string[];
}

export interface ReserveIp {
  readonly region: string;
  readonly tags?: readonly string[];
}

/** For an instance, or reserved in a region for one to come. */
export interface AllocateIp {
  readonly type: "ipv4";
  readonly public: boolean;
  readonly linode_id?: number;
  readonly reserved?: boolean;
  /** Where there is no `linode_id`. */
  readonly region?: string;
}

export interface UpdateIp {
  readonly rdns?: string | null;
  /** True if it stays the account's without an instance. */
  readonly reserved?: boolean;
}

/** Exchanges addresses within a region. */
export interface AssignIps {
  readonly region: string;
  readonly assignments: readonly { readonly address: string; readonly linode_id: number }[];
}

/** Lets an instance answer for addresses of others; the list replaces the one before. */
export interface ShareIps {
  readonly linode_id: number;
  readonly ips: readonly string[];
}

export interface Ipv6Range {
  readonly range: string;
  readonly prefix: number;
  readonly region: string;
  readonly route_target?: string | null;
  readonly is_bgp?: boolean;
  readonly linodes?: readonly number[];
}

/** A pool of addresses that may be routed to instances. */
export interface Ipv6Pool {
  readonly range: string;
  readonly region: string;
  readonly route_target?: string | null;
}

/** Routed to an instance (`linode_id`) or to one of its addresses (`route_target`). */
export interface CreateIpv6Range {
  readonly prefix_length: 56 | 64;
  readonly linode_id?: number;
  readonly route_target?: string;
}

export interface Vlan {
  readonly label: string;
  readonly region: string;
  readonly linodes: readonly number[];
  readonly created: string;
}

/** The settings of an interface in a VPC. */
export interface VpcIp {
  readonly address: string | null;
  readonly address_range: string | null;
  readonly subnet_id: number;
  readonly vpc_id: number;
  readonly linode_id: number | null;
  readonly config_id: number | null;
  readonly interface_id: number | null;
  readonly nodebalancer_id?: number | null;
  readonly database_id?: number | null;
  readonly nat_1_1: string | null;
  readonly active: boolean;
  readonly region: string;
  readonly gateway: string | null;
  readonly prefix: number | null;
  readonly subnet_mask: string;
  readonly ipv6_range?: string | null;
  readonly ipv6_is_public?: boolean | null;
  readonly ipv6_addresses?: readonly { readonly slaac_address: string }[];
}

/** The nodes of a rebuilt configuration; those with an id stay, those that are not named go. */
export interface RebuildNodeBalancerConfig extends UpdateNodeBalancerConfig {
  readonly nodes: readonly (CreateNodeBalancerNode & { readonly id?: number })[];
}

export interface NodeBalancerStats {
  readonly title: string;
  readonly data: {
    readonly connections: readonly (readonly number[])[];
    readonly traffic: { readonly in: readonly (readonly number[])[]; readonly out: readonly (readonly number[])[] };
  };
}

/** A NodeBalancer's place in a VPC. */
export interface NodeBalancerVpc {
  readonly id: number;
  readonly nodebalancer_id: number;
  readonly vpc_id: number;
  readonly subnet_id: number;
  readonly ipv4_range: string;
  readonly ipv6_range?: string;
}
