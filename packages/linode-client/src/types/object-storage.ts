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

/** A region, by its own name or by that of its cluster, as it was done before. */
export type InRegion =
  | { readonly region: string; readonly cluster?: undefined }
  | { readonly cluster: string; readonly region?: undefined };

export type CreateBucket = InRegion & {
  readonly label: string;
  readonly acl?: BucketAcl;
  readonly cors_enabled?: boolean;
  readonly endpoint_type?: "E0" | "E1" | "E2" | "E3";
  readonly s3_endpoint?: string;
};

export interface BucketAccess {
  readonly acl: Open<BucketAcl | "custom">;
  readonly acl_xml?: string | null;
  readonly cors_enabled: boolean | null;
  readonly cors_xml?: string | null;
}

export interface WriteBucketAccess {
  readonly acl?: BucketAcl;
  readonly cors_enabled?: boolean;
}

export interface ObjectStorageKey {
  readonly id: number;
  readonly label: string;
  readonly access_key: string;
  /** Complete only in the answer to `create`; afterwards `[REDACTED]`. */
  readonly secret_key: string;
  readonly limited: boolean;
  readonly regions?: readonly { readonly id: string; readonly s3_endpoint: string; readonly endpoint_type?: string }[];
  readonly bucket_access:
    | readonly {
        readonly bucket_name: string;
        readonly permissions: "read_only" | "read_write";
        readonly region: string;
        readonly cluster?: string;
      }[]
    | null;
}

export interface CreateObjectStorageKey {
  readonly label: string;
  readonly regions?: readonly string[];
  readonly bucket_access?: readonly (InRegion & {
    readonly bucket_name: string;
    readonly permissions: "read_only" | "read_write";
  })[];
}

export interface ObjectStorageCluster {
  readonly id: string;
  readonly region: string;
  readonly domain: string;
  readonly static_site_domain: string;
  readonly status: Open<"available" | "unavailable">;
}

/** Where a region's buckets are reached. */
export interface ObjectStorageEndpoint {
  readonly region: string;
  readonly endpoint_type: Open<"E0" | "E1" | "E2" | "E3">;
  readonly s3_endpoint: string | null;
}

export interface ObjectAcl {
  readonly acl: Open<BucketAcl | "custom">;
  readonly acl_xml: string;
}

export interface StoredObjectSummary {
  /** A name that ends with the delimiter stands for all below it and has no more fields. */
  readonly name: string;
  readonly etag?: string;
  readonly last_modified?: string;
  readonly owner?: string;
  readonly size?: number;
}

export interface ObjectList {
  readonly data: readonly StoredObjectSummary[];
  readonly is_truncated: boolean;
  readonly next_marker: string | null;
}

export interface ListObjects {
  readonly prefix?: string;
  readonly delimiter?: string;
  readonly marker?: string;
  readonly page_size?: number;
}

export interface CreateObjectUrl {
  readonly name: string;
  readonly method: string;
  readonly content_type?: string;
  /** The Content-Disposition of the response to a GET with the URL. */
  readonly content_disposition?: string;
  /** Seconds, 360 to 86 400. */
  readonly expires_in?: number;
}

/** A limit of the whole account. */
export interface ObjectStorageGlobalQuota {
  readonly quota_id: string;
  readonly quota_name: string;
  readonly quota_type: string;
  readonly description: string;
  readonly quota_limit: number;
  readonly resource_metric: string;
  /** True if its usage can be asked for. */
  readonly has_usage: boolean;
}

export interface ObjectStorageQuotaUsage {
  readonly quota_limit: number;
  readonly usage: number | null;
}

export interface ObjectStorageQuota {
  readonly quota_id: string;
  readonly quota_name: string;
  readonly endpoint_type: string;
  readonly s3_endpoint: string;
  readonly description: string;
  readonly quota_limit: number;
  readonly resource_metric: string;
  readonly quota_type?: string;
  /** True if its usage can be asked for. */
  readonly has_usage?: boolean;
}
