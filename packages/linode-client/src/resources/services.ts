import { path } from "../path.ts";
import { listing, verbs } from "../resource.ts";
import type { Listing } from "../resource.ts";
import type { Transport } from "../transport.ts";
import type { CallOptions, ListOptions } from "../types/api.ts";
import type {
  AccountEvent,
  Bucket,
  BucketAcl,
  BucketAccess,
  CreateBucket,
  CreateObjectStorageKey,
  CreateStackScript,
  Domain,
  DomainRecord,
  Image,
  InstanceType,
  Kernel,
  ObjectStorageKey,
  Region,
  RegionAvailability,
  StackScript,
  Volume,
  WriteDomain,
  WriteDomainRecord,
} from "../types/services.ts";

const minute = 60_000;
const kernelCacheMs = 15 * minute;

export interface BucketsApi extends Listing<Bucket> {
  get(region: string, label: string, options?: CallOptions): Promise<Bucket>;
  create(body: CreateBucket, options?: CallOptions): Promise<Bucket>;
  /** The bucket must be empty. */
  delete(region: string, label: string, options?: CallOptions): Promise<void>;
  getAccess(region: string, label: string, options?: CallOptions): Promise<BucketAccess>;
  updateAccess(
    region: string,
    label: string,
    body: { readonly acl?: BucketAcl; readonly cors_enabled?: boolean },
    options?: CallOptions,
  ): Promise<void>;
}

export interface ObjectStorageKeysApi extends Listing<ObjectStorageKey> {
  get(id: number, options?: CallOptions): Promise<ObjectStorageKey>;
  /** The only answer that holds the secret key. */
  create(body: CreateObjectStorageKey, options?: CallOptions): Promise<ObjectStorageKey>;
  delete(id: number, options?: CallOptions): Promise<void>;
}

export interface ObjectStorageApi {
  readonly buckets: BucketsApi;
  readonly keys: ObjectStorageKeysApi;
}

export const objectStorageApi = (transport: Transport): ObjectStorageApi => {
  const { get, post, put, remove } = verbs(transport);
  return {
    buckets: {
      ...listing<Bucket>(transport, path`object-storage/buckets`),
      get: (region, label, options) => get(path`object-storage/buckets/${region}/${label}`, options),
      create: (body, options) => post(path`object-storage/buckets`, body, options),
      delete: (region, label, options) => remove(path`object-storage/buckets/${region}/${label}`, options),
      getAccess: (region, label, options) => get(path`object-storage/buckets/${region}/${label}/access`, options),
      updateAccess: async (region, label, body, options) => {
        await put(path`object-storage/buckets/${region}/${label}/access`, body, options);
      },
    },
    keys: {
      ...listing<ObjectStorageKey>(transport, path`object-storage/keys`),
      get: (id, options) => get(path`object-storage/keys/${id}`, options),
      create: (body, options) => post(path`object-storage/keys`, body, options),
      delete: (id, options) => remove(path`object-storage/keys/${id}`, options),
    },
  };
};

export interface DomainsApi extends Listing<Domain> {
  get(id: number, options?: CallOptions): Promise<Domain>;
  create(body: WriteDomain & Pick<Domain, "domain" | "type">, options?: CallOptions): Promise<Domain>;
  update(id: number, body: WriteDomain, options?: CallOptions): Promise<Domain>;
  delete(id: number, options?: CallOptions): Promise<void>;
  listRecords(id: number, options?: ListOptions): Promise<readonly DomainRecord[]>;
  createRecord(id: number, body: WriteDomainRecord, options?: CallOptions): Promise<DomainRecord>;
  updateRecord(id: number, recordId: number, body: WriteDomainRecord, options?: CallOptions): Promise<DomainRecord>;
  deleteRecord(id: number, recordId: number, options?: CallOptions): Promise<void>;
}

export const domainsApi = (transport: Transport): DomainsApi => {
  const { get, post, put, remove } = verbs(transport);
  return {
    ...listing<Domain>(transport, path`domains`),
    get: (id, options) => get(path`domains/${id}`, options),
    create: (body, options) => post(path`domains`, body, options),
    update: (id, body, options) => put(path`domains/${id}`, body, options),
    delete: (id, options) => remove(path`domains/${id}`, options),
    listRecords: (id, options) => listing<DomainRecord>(transport, path`domains/${id}/records`).list(options),
    createRecord: (id, body, options) => post(path`domains/${id}/records`, body, options),
    updateRecord: (id, recordId, body, options) => put(path`domains/${id}/records/${recordId}`, body, options),
    deleteRecord: (id, recordId, options) => remove(path`domains/${id}/records/${recordId}`, options),
  };
};

/** Answers are cached for one minute. */
export interface RegionsApi extends Listing<Region> {
  get(id: string, options?: CallOptions): Promise<Region>;
  listAvailability(options?: ListOptions): Promise<readonly RegionAvailability[]>;
}

export const regionsApi = (transport: Transport): RegionsApi => ({
  ...listing<Region>(transport, path`regions`, minute),
  get: (id, options) => verbs(transport).get(path`regions/${id}`, options, minute),
  listAvailability: (options) =>
    listing<RegionAvailability>(transport, path`regions/availability`, minute).list(options),
});

/** Answers are cached for one minute. */
export interface TypesApi extends Listing<InstanceType> {
  get(id: string, options?: CallOptions): Promise<InstanceType>;
}

export const typesApi = (transport: Transport): TypesApi => ({
  ...listing<InstanceType>(transport, path`linode/types`, minute),
  get: (id, options) => verbs(transport).get(path`linode/types/${id}`, options, minute),
});

/** Answers are cached for 15 minutes. */
export interface KernelsApi extends Listing<Kernel> {
  get(id: string, options?: CallOptions): Promise<Kernel>;
}

export const kernelsApi = (transport: Transport): KernelsApi => ({
  ...listing<Kernel>(transport, path`linode/kernels`, kernelCacheMs),
  get: (id, options) => verbs(transport).get(path`linode/kernels/${id}`, options, kernelCacheMs),
});

export interface ImagesApi extends Listing<Image> {
  get(id: string, options?: CallOptions): Promise<Image>;
}

export const imagesApi = (transport: Transport): ImagesApi => ({
  ...listing<Image>(transport, path`images`),
  get: (id, options) => verbs(transport).get(path`images/${id}`, options),
});

export interface StackScriptsApi extends Listing<StackScript> {
  get(id: number, options?: CallOptions): Promise<StackScript>;
  create(body: CreateStackScript, options?: CallOptions): Promise<StackScript>;
  delete(id: number, options?: CallOptions): Promise<void>;
}

export const stackScriptsApi = (transport: Transport): StackScriptsApi => {
  const { get, post, remove } = verbs(transport);
  return {
    ...listing<StackScript>(transport, path`linode/stackscripts`),
    get: (id, options) => get(path`linode/stackscripts/${id}`, options),
    create: (body, options) => post(path`linode/stackscripts`, body, options),
    delete: (id, options) => remove(path`linode/stackscripts/${id}`, options),
  };
};

export interface VolumesApi extends Listing<Volume> {
  get(id: number, options?: CallOptions): Promise<Volume>;
}

export const volumesApi = (transport: Transport): VolumesApi => ({
  ...listing<Volume>(transport, path`volumes`),
  get: (id, options) => verbs(transport).get(path`volumes/${id}`, options),
});

export interface EventsApi extends Listing<AccountEvent> {
  get(id: number, options?: CallOptions): Promise<AccountEvent>;
}

export const eventsApi = (transport: Transport): EventsApi => ({
  ...listing<AccountEvent>(transport, path`account/events`),
  get: (id, options) => verbs(transport).get(path`account/events/${id}`, options),
});
