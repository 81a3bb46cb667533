import { acts, deletes, lists, of, posts, puts, queries, reads } from "../operation.ts";
import type {
  CloneDomain,
  Domain,
  DomainRecord,
  ImportDomain,
  WriteDomain,
  WriteDomainRecord,
} from "../types/domains.ts";
import type {
  Bucket,
  BucketAccess,
  CreateBucket,
  CreateObjectStorageKey,
  CreateObjectUrl,
  ListObjects,
  ObjectAcl,
  ObjectList,
  ObjectStorageCluster,
  ObjectStorageEndpoint,
  ObjectStorageKey,
  ObjectStorageGlobalQuota,
  ObjectStorageQuota,
  ObjectStorageQuotaUsage,
  WriteBucketAccess,
} from "../types/object-storage.ts";
import type {
  AttachVolume,
  CreateStackScript,
  CreateTag,
  CreateVolume,
  InstanceType,
  Kernel,
  PricedType,
  Region,
  RegionAvailability,
  RegionVpcAvailability,
  StackScript,
  Tag,
  TaggedObject,
  UpdateStackScript,
  Volume,
} from "../types/services.ts";
import { hour, minute, quarter } from "./cached.ts";

const bucket = "object-storage/buckets/$region/$label" as const;
const key = "object-storage/keys/:id" as const;

export const objectStorage = {
  buckets: {
    list: lists("object-storage/buckets", of<Bucket>),
    listOfRegion: lists("object-storage/buckets/$region", of<Bucket>),
    get: reads(bucket, of<Bucket>),
    create: posts("object-storage/buckets", of<CreateBucket>, of<Bucket>),
    /** The bucket must be empty. */
    delete: deletes(bucket),
    getAccess: reads(`${bucket}/access`, of<BucketAccess>),
    /** Fields that are left out get the default of a new bucket; `updateAccess` changes only the given ones. */
    setAccess: posts(`${bucket}/access`, of<WriteBucketAccess>),
    updateAccess: puts(`${bucket}/access`, of<WriteBucketAccess>),
    listObjects: queries(`${bucket}/object-list`, of<ListObjects>, of<ObjectList>),
    getObjectAcl: queries(`${bucket}/object-acl`, of<{ readonly name: string }>, of<ObjectAcl>),
    updateObjectAcl: puts(
      `${bucket}/object-acl`,
      of<{ readonly name: string; readonly acl: NonNullable<WriteBucketAccess["acl"]> }>,
      of<ObjectAcl>,
    ),
    /** A URL with which one object can be read or written without a key. */
    createObjectUrl: posts(
      `${bucket}/object-url`,
      of<CreateObjectUrl>,
      of<{ readonly url: string; readonly exists?: boolean }>,
    ),
    getCertificate: reads(`${bucket}/ssl`, of<{ readonly ssl: boolean }>),
    uploadCertificate: posts(
      `${bucket}/ssl`,
      of<{ readonly certificate: string; readonly private_key: string }>,
      of<{ readonly ssl: boolean }>,
    ),
    deleteCertificate: deletes(`${bucket}/ssl`),
  },
  keys: {
    list: lists("object-storage/keys", of<ObjectStorageKey>),
    get: reads(key, of<ObjectStorageKey>),
    /** The only answer that holds the secret key. */
    create: posts("object-storage/keys", of<CreateObjectStorageKey>, of<ObjectStorageKey>),
    update: puts(key, of<{ readonly label?: string; readonly regions?: readonly string[] }>, of<ObjectStorageKey>),
    delete: deletes(key),
  },
  listClusters: lists("object-storage/clusters", of<ObjectStorageCluster>),
  getCluster: reads("object-storage/clusters/$id", of<ObjectStorageCluster>),
  listEndpoints: lists("object-storage/endpoints", of<ObjectStorageEndpoint>),
  listQuotas: lists("object-storage/quotas", of<ObjectStorageQuota>),
  getQuota: reads("object-storage/quotas/$id", of<ObjectStorageQuota>),
  getQuotaUsage: reads("object-storage/quotas/$id/usage", of<ObjectStorageQuotaUsage>),
  listGlobalQuotas: lists("object-storage/global-quotas", of<ObjectStorageGlobalQuota>),
  getGlobalQuota: reads("object-storage/global-quotas/$id", of<ObjectStorageGlobalQuota>),
  getGlobalQuotaUsage: reads("object-storage/global-quotas/$id/usage", of<ObjectStorageQuotaUsage>),
  listTypes: lists("object-storage/types", of<PricedType>, hour),
  /** Bytes that went out this month. */
  transfer: reads("object-storage/transfer", of<{ readonly used: number }>),
  cancel: acts("object-storage/cancel"),
};

const record = "domains/:id/records/:record" as const;

export const domains = {
  list: lists("domains", of<Domain>),
  get: reads("domains/:id", of<Domain>),
  create: posts("domains", of<WriteDomain & Pick<Domain, "domain" | "type">>, of<Domain>),
  update: puts("domains/:id", of<WriteDomain>, of<Domain>),
  delete: deletes("domains/:id"),
  /** From a name server that allows transfers of the zone. */
  import: posts("domains/import", of<ImportDomain>, of<Domain>),
  clone: posts("domains/:id/clone", of<CloneDomain>, of<Domain>),
  /** The lines of the zone. */
  zoneFile: reads("domains/:id/zone-file", of<readonly string[]>, { field: "zone_file" }),
  listRecords: lists("domains/:id/records", of<DomainRecord>),
  getRecord: reads(record, of<DomainRecord>),
  createRecord: posts("domains/:id/records", of<WriteDomainRecord>, of<DomainRecord>),
  updateRecord: puts(record, of<WriteDomainRecord>, of<DomainRecord>),
  deleteRecord: deletes(record),
};

/** Answers are cached for one minute. */
export const regions = {
  list: lists("regions", of<Region>, minute),
  get: reads("regions/$id", of<Region>, minute),
  listAvailability: lists("regions/availability", of<RegionAvailability>, minute),
  getAvailability: reads("regions/$id/availability", of<readonly RegionAvailability[]>, minute),
  listVpcAvailability: lists("regions/vpc-availability", of<RegionVpcAvailability>, minute),
  getVpcAvailability: reads("regions/$id/vpc-availability", of<RegionVpcAvailability>, minute),
};

/** Answers are cached for one minute. */
export const types = {
  list: lists("linode/types", of<InstanceType>, minute),
  get: reads("linode/types/$id", of<InstanceType>, minute),
};

/** Answers are cached for 15 minutes. */
export const kernels = {
  list: lists("linode/kernels", of<Kernel>, quarter),
  get: reads("linode/kernels/$id", of<Kernel>, quarter),
};

const script = "linode/stackscripts/:id" as const;

export const stackScripts = {
  list: lists("linode/stackscripts", of<StackScript>),
  get: reads(script, of<StackScript>),
  create: posts("linode/stackscripts", of<CreateStackScript>, of<StackScript>),
  update: puts(script, of<UpdateStackScript>, of<StackScript>),
  delete: deletes(script),
};

const volume = "volumes/:id" as const;

export const volumes = {
  list: lists("volumes", of<Volume>),
  get: reads(volume, of<Volume>),
  create: posts("volumes", of<CreateVolume>, of<Volume>),
  update: puts(volume, of<{ readonly label?: string; readonly tags?: readonly string[] }>, of<Volume>),
  delete: deletes(volume),
  attach: posts(`${volume}/attach`, of<AttachVolume>, of<Volume>),
  detach: acts(`${volume}/detach`),
  clone: posts(`${volume}/clone`, of<{ readonly label: string }>, of<Volume>),
  /** GB; volumes only grow. */
  resize: posts(`${volume}/resize`, of<{ readonly size: number }>, of<Volume>),
  listTypes: lists("volumes/types", of<PricedType>, hour),
};

export const tags = {
  list: lists("tags", of<Tag>),
  create: posts("tags", of<CreateTag>, of<Tag>),
  delete: deletes("tags/$label"),
  listObjects: lists("tags/$label", of<TaggedObject>),
};
