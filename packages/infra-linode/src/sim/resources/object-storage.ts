import type { Bucket, CreateBucket, CreateObjectStorageKey, ObjectStorageKey } from "@capstan/linode-client";
import type { Random } from "@capstan/contract";
import { boolean, invalid, list, notFound, object, type Route, type RouteRequest, text } from "@capstan/simulation";
import { collection } from "../api/collection.ts";
import { idOf, route } from "../api/route.ts";
import { regions } from "../seed.ts";
import type { StoredBucket, StoredKey } from "../state.ts";
import type { World } from "../world.ts";
import { apiTime } from "./times.ts";

const acl = text({ enum: ["private", "public-read", "authenticated-read", "public-read-write"] });
const bucketLabel = text({ min: 3, max: 63, pattern: /^[a-z0-9]+(?:-[a-z0-9]+)*(?:[.][a-z0-9]+(?:-[a-z0-9]+)*)*$/ });

const access = object(
  { bucket_name: text(), permissions: text({ enum: ["read_only", "read_write"] }), region: text() },
  ["bucket_name", "permissions", "region"],
);

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
    body: object({ label: bucketLabel, region: text(), acl, cors_enabled: boolean }, ["label", "region"]),
    handle: ({ body }, world) => bucketView(createBucket(body, world), world),
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
  route({
    method: "PUT",
    path: "object-storage/buckets/:region/:label/access",
    body: object({ acl, cors_enabled: boolean }),
    handle: (request, world) => {
      const bucket = findBucket(request, world);
      const change = request.body;
      bucket.acl = change.acl ?? bucket.acl;
      bucket.cors = change.cors_enabled ?? bucket.cors;
      return {};
    },
  }),
  collection({
    path: "object-storage/keys",
    filterable: [],
    list: (_request, { state }) => state.keys.map((key) => keyView(key)),
  }),
  route({
    method: "POST",
    path: "object-storage/keys",
    body: object({ label: text({ min: 1, max: 50 }), regions: list(text()), bucket_access: list(access) }, ["label"]),
    handle: ({ body }, world) => {
      const key = createKey(body, world);
      return { ...keyView(key), secret_key: key.secretKey };
    },
  }),
  route({
    method: "GET",
    path: "object-storage/keys/:id",
    handle: (request, world) => keyView(findKey(request, world)),
  }),
  route({
    method: "DELETE",
    path: "object-storage/keys/:id",
    handle: (request, world) => {
      const gone = findKey(request, world);
      world.state.keys = world.state.keys.filter((key) => key !== gone);
      return {};
    },
  }),
];

const findBucket = ({ params }: Pick<RouteRequest, "params">, { state }: Pick<World, "state">): StoredBucket => {
  const found = state.buckets.find(({ label, region }) => label === params["label"] && region === params["region"]);
  if (found === undefined) throw notFound();
  return found;
};

const findKey = (request: Pick<RouteRequest, "params">, { state }: World): StoredKey => {
  const found = state.keys.find(({ id }) => id === idOf(request));
  if (found === undefined) throw notFound();
  return found;
};

const createBucket = (wanted: CreateBucket, world: World): StoredBucket => {
  const region = regions.find(({ id }) => id === wanted.region);
  if (region?.capabilities.includes("Object Storage") !== true) throw notFound();
  if (world.state.buckets.some(({ label }) => label === wanted.label)) {
    throw invalid("A bucket with that label already exists", "label");
  }
  const bucket: StoredBucket = {
    label: wanted.label,
    region: wanted.region,
    created: world.clock.now(),
    acl: wanted.acl ?? "private",
    cors: wanted.cors_enabled ?? true,
  };
  world.state.buckets.push(bucket);
  return bucket;
};

const createKey = (wanted: CreateObjectStorageKey, world: World): StoredKey => {
  for (const [index, { bucket_name: name, region }] of (wanted.bucket_access ?? []).entries()) {
    if (!world.state.buckets.some((bucket) => bucket.label === name && bucket.region === region)) {
      throw invalid("Bucket not found", `bucket_access.${index}.bucket_name`);
    }
  }
  const key: StoredKey = {
    id: world.newId(),
    label: wanted.label,
    accessKey: newAccessKey(world.random),
    secretKey: newSecretKey(world.random),
    bucketAccess: wanted.bucket_access ?? null,
  };
  world.state.keys.push(key);
  return key;
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
    s3_endpoint: host,
    endpoint_type: "E1",
    created: apiTime(created),
    objects: objects.length,
    size: objects.reduce((sum, { size }) => sum + size, 0),
  };
};

const keyView = (key: StoredKey): ObjectStorageKey => ({
  id: key.id,
  label: key.label,
  access_key: key.accessKey,
  secret_key: "[REDACTED]",
  limited: key.bucketAccess !== null,
  bucket_access: key.bucketAccess,
});
