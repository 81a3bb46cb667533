import type {
  Bucket,
  ObjectStorageGlobalQuota,
  ObjectStorageKey,
  ObjectStorageQuotaUsage,
} from "@capstan/linode-client";
import type { Random } from "@capstan/contract";
import {
  boolean,
  invalid,
  list,
  notFound,
  object,
  type Route,
  type RouteRequest,
  text,
  type ValueOf,
} from "@capstan/simulation";
import { collection } from "../api/collection.ts";
import { named } from "../api/resource.ts";
import { idOf, route } from "../api/route.ts";
import { note, type Subject } from "../events.ts";
import { regions, regionWith } from "../seed.ts";
import type { StoredBucket, StoredKey } from "../state.ts";
import type { World } from "../world.ts";
import { checkQuota } from "./account-rules.ts";
import { apiTime } from "../times.ts";

const acl = text({ enum: ["private", "public-read", "authenticated-read", "public-read-write"] });
const accessAcl = text({ enum: ["private", "public-read", "authenticated-read", "public-read-write", "custom"] });
const bucketLabel = text({ min: 3, max: 63, pattern: /^[a-z0-9]+(?:-[a-z0-9]+)*(?:[.][a-z0-9]+(?:-[a-z0-9]+)*)*$/ });

const keyLabel = text({ min: 1, max: 50 });

/** `cluster` is the older way to name a region. */
const access = object(
  { bucket_name: text(), permissions: text({ enum: ["read_only", "read_write"] }), region: text(), cluster: text() },
  ["bucket_name", "permissions"],
);

const bucketShape = object(
  {
    label: bucketLabel,
    region: text(),
    cluster: text(),
    acl,
    cors_enabled: boolean,
    endpoint_type: text({ enum: ["E0", "E1", "E2", "E3"] }),
    s3_endpoint: text(),
  },
  ["label"],
);

const keyShape = object({ label: keyLabel, regions: list(text()), bucket_access: list(access) }, ["label"]);

/** Buckets and keys; the objects themselves are behind the S3 interface. */
export const objectStorageRoutes: readonly Route<World>[] = [
  collection({
    path: "object-storage/buckets",
    filterable: ["label", "region"],
    list: (_request, world) => world.state.buckets.map((bucket) => bucketView(bucket, world)),
  }),
  route({
    method: "POST",
    path: "object-storage/buckets",
    body: bucketShape,
    handle: ({ body }, world) => bucketView(createBucket(body, world), world),
  }),
  collection({
    path: "object-storage/buckets/:region",
    filterable: ["label"],
    list: ({ params }, world) =>
      world.state.buckets
        .filter(({ region }) => isOf(region, params["region"]))
        .map((bucket) => bucketView(bucket, world)),
  }),
  collection({
    path: "object-storage/clusters",
    filterable: [],
    isPublic: true,
    list: (_request, world) => clusters(world),
  }),
  route({
    method: "GET",
    path: "object-storage/clusters/:id",
    isPublic: true,
    handle: (request, world) => named(clusters(world), request, "id"),
  }),
  collection({
    path: "object-storage/endpoints",
    filterable: ["region", "endpoint_type"],
    list: (_request, world) =>
      clusters(world).map(({ region, domain }) => ({ region, endpoint_type: "E1", s3_endpoint: domain })),
  }),
  collection({ path: "object-storage/quotas", filterable: [], list: (_request, world) => quotas(world) }),
  route({
    method: "GET",
    path: "object-storage/quotas/:id",
    handle: (request, world) => named(quotas(world), request, "quota_id", "id"),
  }),
  route({
    method: "GET",
    path: "object-storage/quotas/:id/usage",
    handle: (request, world) => ({
      quota_limit: named(quotas(world), request, "quota_id", "id").quota_limit,
      usage: world.state.buckets.length,
    }),
  }),
  collection({ path: "object-storage/global-quotas", filterable: [], list: (_request, world) => globalQuotas(world) }),
  route({
    method: "GET",
    path: "object-storage/global-quotas/:id",
    handle: (request, world) => named(globalQuotas(world), request, "quota_id", "id"),
  }),
  route({
    method: "GET",
    path: "object-storage/global-quotas/:id/usage",
    handle: (request, world): ObjectStorageQuotaUsage => ({
      quota_limit: named(globalQuotas(world), request, "quota_id", "id").quota_limit,
      usage: world.state.keys.length,
    }),
  }),
  route({ method: "GET", path: "object-storage/transfer", handle: () => ({ used: 0 }) }),
  route({
    method: "POST",
    path: "object-storage/cancel",
    handle: (_request, { state }) => {
      if (state.buckets.length > 0) throw invalid("All buckets must be deleted first");
      state.keys = [];
    },
  }),
  route({
    method: "GET",
    path: "object-storage/buckets/:region/:label",
    handle: (request, world) => bucketView(findBucket(request, world), world),
  }),
  route({
    method: "DELETE",
    path: "object-storage/buckets/:region/:label",
    handle: (request, { state, ...world }) => {
      const gone = findBucket(request, { state, ...world });
      if ((state.objects[gone.label] ?? []).length > 0) throw invalid("Bucket is not empty");
      state.buckets = state.buckets.filter((bucket) => bucket !== gone);
      delete state.objects[gone.label];
      return {};
    },
  }),
  route({
    method: "GET",
    path: "object-storage/buckets/:region/:label/access",
    handle: (request, world) => {
      const bucket = findBucket(request, world);
      return { acl: bucket.acl, acl_xml: "", cors_enabled: bucket.cors, cors_xml: "" };
    },
  }),
  ...(["POST", "PUT"] as const).map((method) =>
    route({
      method,
      path: "object-storage/buckets/:region/:label/access",
      body: object({ acl: accessAcl, cors_enabled: boolean }),
      handle: (request, world) => {
        const bucket = findBucket(request, world);
        const change = request.body;
        // POST sets everything, PUT only what is given.
        bucket.acl = change.acl ?? (method === "POST" ? "private" : bucket.acl);
        bucket.cors = change.cors_enabled ?? (method === "POST" ? true : bucket.cors);
        return {};
      },
    }),
  ),
  collection({
    path: "object-storage/keys",
    filterable: [],
    list: (_request, world) => world.state.keys.map((key) => keyView(key, world)),
  }),
  route({
    method: "POST",
    path: "object-storage/keys",
    body: keyShape,
    handle: ({ body }, world) => {
      checkQuota(world, "keys", world.state.keys.length);
      const key = newKey(body, world);
      world.state.keys.push(key);
      note(world, "obj_access_key_create", keySubject(key));
      return { ...keyView(key, world), secret_key: key.secretKey };
    },
  }),
  route({
    method: "GET",
    path: "object-storage/keys/:id",
    handle: (request, world) => keyView(findKey(request, world), world),
  }),
  route({
    method: "PUT",
    path: "object-storage/keys/:id",
    body: object({ label: keyLabel, regions: list(text()) }),
    handle: (request, world) => {
      const key = findKey(request, world);
      checkRegions(request.body.regions);
      key.label = request.body.label ?? key.label;
      key.regions = request.body.regions ?? key.regions;
      note(world, "obj_access_key_update", keySubject(key));
      return keyView(key, world);
    },
  }),
  route({
    method: "DELETE",
    path: "object-storage/keys/:id",
    handle: (request, world) => {
      const gone = findKey(request, world);
      world.state.keys = world.state.keys.filter((key) => key !== gone);
      note(world, "obj_access_key_delete", keySubject(gone));
      return {};
    },
  }),
];

export const findBucket = ({ params }: Pick<RouteRequest, "params">, { state }: Pick<World, "state">): StoredBucket => {
  const found = state.buckets.find(({ label, region }) => label === params["label"] && isOf(region, params["region"]));
  if (found === undefined) throw notFound();
  return found;
};

const findKey = (request: Pick<RouteRequest, "params">, { state }: World): StoredKey => {
  const found = state.keys.find(({ id }) => id === idOf(request));
  if (found === undefined) throw notFound();
  return found;
};

const keySubject = ({ id, label }: StoredKey): Subject => ({
  id,
  label,
  type: "obj_access_key",
  url: `/v4/object-storage/keys/${id}`,
});

/** Returns whether a region is the one of a name: its own, or that of its cluster. */
const isOf = (region: string, name: string | undefined): boolean => name === region || name === `${region}-1`;

/** The region that a request names, by either name. */
const wantedRegion = ({ region, cluster }: { readonly region?: string; readonly cluster?: string }, field: string) => {
  const name = region ?? cluster;
  if (name === undefined) throw invalid("region is required.", `${field}region`);
  return regions.find(({ id }) => isOf(id, name));
};

/** Every region with object storage has one cluster. */
const clusters = (world: World) =>
  regions
    .filter(({ capabilities }) => capabilities.includes("Object Storage"))
    .map(({ id }) => ({
      id: `${id}-1`,
      region: id,
      domain: new URL(world.objectStorageUrl()).host,
      static_site_domain: `website-${id}-1.linodeobjects.com`,
      status: "available",
    }));

const quotas = (world: World) =>
  clusters(world).map(({ region, domain }) => ({
    quota_id: `obj-buckets-${region}-1`,
    quota_name: "Number of Buckets",
    endpoint_type: "E1",
    s3_endpoint: domain,
    description: "How many buckets the account may have in this region",
    quota_limit: world.quotas.buckets ?? 1000,
    resource_metric: "bucket",
    quota_type: "obj-buckets",
    has_usage: true,
  }));

const globalQuotas = ({ quotas: { keys = 100 } }: World): readonly ObjectStorageGlobalQuota[] => [
  {
    quota_id: "obj-access-keys",
    quota_name: "Number of Access Keys",
    quota_type: "obj-access-keys",
    description: "How many access keys the account may have",
    quota_limit: keys,
    resource_metric: "key",
    has_usage: true,
  },
];

const createBucket = (wanted: ValueOf<typeof bucketShape>, world: World): StoredBucket => {
  checkQuota(world, "buckets", world.state.buckets.length);
  const region = wantedRegion(wanted, "");
  if (region?.capabilities.includes("Object Storage") !== true) throw notFound();
  if ((wanted.endpoint_type ?? "E1") !== "E1") {
    throw invalid("The endpoint type is not available in this region", "endpoint_type");
  }
  const { host } = new URL(world.objectStorageUrl());
  if (![undefined, host, world.objectStorageUrl()].includes(wanted.s3_endpoint)) {
    throw invalid("The endpoint is not available in this region", "s3_endpoint");
  }
  if (world.state.buckets.some(({ label }) => label === wanted.label)) {
    throw invalid("A bucket with that label already exists", "label");
  }
  const bucket: StoredBucket = {
    label: wanted.label,
    region: region.id,
    created: world.clock.now(),
    acl: wanted.acl ?? "private",
    cors: wanted.cors_enabled ?? true,
    objectAcls: {},
    hasCertificate: false,
  };
  world.state.buckets.push(bucket);
  return bucket;
};

const checkRegions = (ids: readonly string[] = []): void => {
  for (const [index, id] of ids.entries()) {
    if (regionWith(id, "Object Storage") === undefined) throw invalid("region is not valid", `regions.${index}`);
  }
};

export const newKey = (wanted: ValueOf<typeof keyShape>, world: World): StoredKey => {
  checkRegions(wanted.regions);
  const bucketAccess = wanted.bucket_access?.map((each, index) => accessTo(each, `bucket_access.${index}.`, world));
  const key: StoredKey = {
    id: world.newId(),
    label: wanted.label,
    accessKey: newAccessKey(world.random),
    secretKey: newSecretKey(world.random),
    bucketAccess: bucketAccess ?? null,
    regions: wanted.regions ?? [...new Set((bucketAccess ?? []).map(({ region }) => region))],
  };
  return key;
};

const accessTo = (
  { bucket_name, permissions, ...place }: ValueOf<typeof access>,
  field: string,
  { state }: World,
): NonNullable<StoredKey["bucketAccess"]>[number] => {
  const region = wantedRegion(place, field)?.id ?? "";
  if (!state.buckets.some((bucket) => bucket.label === bucket_name && bucket.region === region)) {
    throw invalid("Bucket not found", `${field}bucket_name`);
  }
  return { bucket_name, permissions, region };
};

const newAccessKey = (random: Random): string => Buffer.from(random.bytes(10)).toString("hex").toUpperCase();

const newSecretKey = (random: Random): string => Buffer.from(random.bytes(30)).toString("base64url");

const bucketView = ({ label, region, created }: StoredBucket, world: World): Bucket => {
  const { host } = new URL(world.objectStorageUrl());
  const objects = world.state.objects[label] ?? [];
  return {
    label,
    region,
    cluster: `${region}-1`,
    hostname: `${label}.${host}`,
    // With its scheme, for there is no TLS here.
    s3_endpoint: world.objectStorageUrl(),
    endpoint_type: "E1",
    created: apiTime(created),
    objects: objects.length,
    size: objects.reduce((sum, { size }) => sum + size, 0),
  };
};

const keyView = (key: StoredKey, world: World): ObjectStorageKey => ({
  id: key.id,
  label: key.label,
  access_key: key.accessKey,
  secret_key: "[REDACTED]",
  limited: key.bucketAccess !== null,
  regions: key.regions.map((id) => ({ id, s3_endpoint: new URL(world.objectStorageUrl()).host, endpoint_type: "E1" })),
  bucket_access: key.bucketAccess?.map((access) => ({ ...access, cluster: `${access.region}-1` })) ?? null,
});
