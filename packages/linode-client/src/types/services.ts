import type { Open } from "./api.ts";

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
    readonly maximum_linodes_per_flexible_pg?: number;
  } | null;
  /** Services of which the region has metrics and alerts. */
  readonly monitors?: { readonly alerts: readonly string[]; readonly metrics: readonly string[] };
}

export interface RegionAvailability {
  readonly region: string;
  readonly plan: string;
  readonly available: boolean;
}

export interface RegionVpcAvailability {
  readonly region: string;
  readonly available: boolean;
  readonly available_ipv6_prefix_lengths: readonly number[];
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
  readonly region_prices?: PricedType["region_prices"];
  readonly addons?: { readonly backups: Pick<PricedType, "price" | "region_prices"> };
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
  readonly built: string | null;
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
  readonly regions?: readonly { readonly region: string; readonly status: string }[] | null;
  readonly tags?: readonly string[];
  /** MB in all regions. */
  readonly total_size?: number;
  readonly created_by?: string | null;
  /** Another user shares it with the account. */
  readonly is_shared?: boolean | null;
  readonly image_sharing?: ImageSharing | null;
  readonly expiry?: string | null;
  readonly created: string;
  readonly updated: string | null;
  readonly eol: string | null;
}

/** Whom an image is shared with, and by whom. */
export interface ImageSharing {
  readonly shared_with: { readonly sharegroup_count: number; readonly sharegroup_list_url: string } | null;
  readonly shared_by: {
    readonly sharegroup_id: number;
    readonly sharegroup_uuid: string;
    readonly sharegroup_label: string;
    readonly source_image_id: string | null;
  } | null;
}

export interface CreateImage {
  readonly disk_id: number;
  readonly label?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  /** The image reads metadata. */
  readonly cloud_init?: boolean;
}

export interface UploadImage extends Omit<CreateImage, "disk_id"> {
  readonly label: string;
  readonly region: string;
}

/** Where the bytes of an image go, compressed by gzip, with PUT. */
export interface ImageUpload {
  readonly image: Image;
  readonly upload_to: string;
}

export interface UpdateImage {
  readonly label?: string;
  readonly description?: string | null;
  readonly tags?: readonly string[];
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
  readonly logo_url?: string;
  readonly ordinal?: number;
  /** The fields that the script needs at deployment; one without a default is required. */
  readonly user_defined_fields?: readonly {
    readonly name: string;
    readonly label: string;
    readonly default?: string;
    readonly example?: string;
    readonly oneOf?: string;
    readonly manyOf?: string;
    readonly oneof?: string;
    readonly header?: string;
    readonly required?: string | boolean;
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

export type UpdateStackScript = Partial<CreateStackScript>;

export interface Volume {
  readonly id: number;
  readonly label: string;
  readonly status: Open<"creating" | "active" | "resizing" | "key_rotating">;
  readonly region: string;
  /** GB. */
  readonly size: number;
  readonly linode_id: number | null;
  readonly linode_label?: string | null;
  readonly encryption?: Open<"enabled" | "disabled">;
  readonly hardware_type?: Open<"hdd" | "nvme">;
  readonly filesystem_path: string;
  /** True if it can be read and written. */
  readonly io_ready?: boolean;
  /** Kinds of locks that it has. */
  readonly locks?: readonly string[];
  readonly tags: readonly string[];
  readonly created: string;
  readonly updated: string;
}

/** Attached to an instance at once with `linode_id`; otherwise it needs a region. */
export interface CreateVolume {
  readonly label: string;
  readonly region?: string;
  readonly linode_id?: number;
  readonly config_id?: number;
  /** GB. */
  readonly size?: number;
  readonly tags?: readonly string[] | null;
  readonly encryption?: "enabled" | "disabled";
  readonly persist_across_boots?: boolean;
}

export interface AttachVolume {
  readonly linode_id: number;
  readonly config_id?: number;
  readonly persist_across_boots?: boolean;
}

/** The price of a service, with the regions that have their own. */
export interface PricedType {
  readonly id: string;
  readonly label: string;
  readonly price: { readonly hourly: number | null; readonly monthly: number | null };
  readonly region_prices: readonly {
    readonly id: string;
    readonly hourly: number | null;
    readonly monthly: number | null;
  }[];
  readonly transfer: number;
}

export interface Tag {
  readonly label: string;
}

export interface CreateTag extends Tag {
  readonly linodes?: readonly number[];
  readonly domains?: readonly number[];
  readonly nodebalancers?: readonly number[];
  readonly volumes?: readonly number[];
  readonly reserved_ipv4_addresses?: readonly string[];
}

/** Something that has a tag. */
export interface TaggedObject {
  readonly type: Open<"linode" | "domain" | "nodebalancer" | "volume" | "reserved_ipv4_address">;
  readonly data: { readonly id?: number; readonly label?: string } & Readonly<Record<string, unknown>>;
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
  readonly time_remaining?: number | string | null;
  readonly username: string | null;
  /** More about what happened, by action. */
  readonly details?: Readonly<Record<string, unknown>> | null;
  readonly seen: boolean;
  readonly read: boolean;
}
