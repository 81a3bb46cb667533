import { createHash } from "node:crypto";
import type { SimulatorState, StoredBucket, StoredObject } from "../state.ts";
import { S3Error } from "./s3-error.ts";
import { element, xml } from "./xml.ts";

export interface S3Call {
  readonly method: string;
  readonly bucket: string;
  /** Unescaped; empty for the bucket itself. */
  readonly key: string;
  readonly query: ReadonlyMap<string, string>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly accessKey: string;
  readonly now: number;
}

export interface S3Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

const maxObjectBytes = 5 * 1024 ** 3;
const maxKeys = 1000;

/** Runs one authenticated call on the state. */
export const runS3 = (call: S3Call, state: SimulatorState): S3Answer => {
  const bucket = state.buckets.find(({ label }) => label === call.bucket);
  allow(call, state);
  if (bucket === undefined) throw new S3Error(404, "NoSuchBucket", "The specified bucket does not exist");
  if (call.key === "") return bucketCall(call, bucket, state);
  if (Buffer.byteLength(call.key) > 1024) throw new S3Error(400, "KeyTooLongError", "Your key is too long");
  const operation = objectOperations[call.method];
  if (operation === undefined) {
    throw new S3Error(405, "MethodNotAllowed", "The method is not allowed", { violation: true });
  }
  state.objects[bucket.label] ??= [];
  return operation(call, state.objects[bucket.label]!);
};

/** A limited key reaches its buckets only, and writes only where it may. */
const allow = (call: S3Call, state: SimulatorState): void => {
  const access = state.keys.find(({ accessKey }) => accessKey === call.accessKey)?.bucketAccess;
  if (access === undefined || access === null) return;
  const grant = access.find(({ bucket_name: name }) => name === call.bucket);
  const writes = call.method === "PUT" || call.method === "DELETE";
  if (grant === undefined || (writes && grant.permissions !== "read_write")) {
    throw new S3Error(403, "AccessDenied", "Access Denied");
  }
};

const find = (call: S3Call, objects: readonly StoredObject[]): StoredObject => {
  const found = objects.find(({ key }) => key === call.key);
  if (found === undefined) throw new S3Error(404, "NoSuchKey", "The specified key does not exist.");
  return found;
};

const describe = (object: StoredObject): Readonly<Record<string, string>> => ({
  etag: object.etag,
  "content-type": object.contentType,
  "content-length": String(object.size),
  "last-modified": new Date(object.modified).toUTCString(),
  ...Object.fromEntries(Object.entries(object.metadata).map(([name, value]) => [`x-amz-meta-${name}`, value])),
});

const objectOperations: Readonly<Record<string, (call: S3Call, objects: StoredObject[]) => S3Answer>> = {
  GET: (call, objects) => {
    const object = find(call, objects);
    return { status: 200, headers: describe(object), body: Buffer.from(object.body, "base64") };
  },
  HEAD: (call, objects) => ({ status: 200, headers: describe(find(call, objects)) }),
  PUT: (call, objects) => {
    if (call.body.length > maxObjectBytes) throw new S3Error(400, "EntityTooLarge", "The object is too large");
    const at = objects.findIndex(({ key }) => key === call.key);
    if (at >= 0 && call.headers["if-none-match"] === "*") {
      throw new S3Error(412, "PreconditionFailed", "At least one of the preconditions did not hold");
    }
    const object = stored(call);
    objects.splice(at < 0 ? objects.length : at, 1, object);
    return { status: 200, headers: { etag: object.etag } };
  },
  DELETE: (call, objects) => {
    const at = objects.findIndex(({ key }) => key === call.key);
    if (at >= 0) objects.splice(at, 1);
    return { status: 204 };
  },
};

const stored = (call: S3Call): StoredObject => ({
  key: call.key,
  body: Buffer.from(call.body).toString("base64"),
  size: call.body.length,
  etag: `"${createHash("md5").update(call.body).digest("hex")}"`,
  contentType: call.headers["content-type"] ?? "binary/octet-stream",
  metadata: Object.fromEntries(
    Object.entries(call.headers).flatMap(([name, value]) =>
      name.startsWith("x-amz-meta-") ? [[name.slice("x-amz-meta-".length), value]] : [],
    ),
  ),
  modified: call.now,
});

const bucketCall = (call: S3Call, bucket: StoredBucket, state: SimulatorState): S3Answer => {
  if (call.method === "HEAD") return { status: 200 };
  if (call.method !== "GET" || call.query.get("list-type") !== "2") {
    throw new S3Error(501, "NotImplemented", "Of the bucket operations only HEAD and list version 2 are supported", {
      violation: true,
    });
  }
  const prefix = call.query.get("prefix") ?? "";
  const limit = Math.min(Number(call.query.get("max-keys") ?? maxKeys), maxKeys);
  const token = call.query.get("continuation-token");
  const after = token === undefined ? "" : Buffer.from(token, "base64url").toString();
  const matching = (state.objects[bucket.label] ?? [])
    .filter(({ key }) => key.startsWith(prefix) && key > after)
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const page = matching.slice(0, limit);
  const truncated = matching.length > page.length;
  const body = xml("ListBucketResult", [
    element("Name", bucket.label),
    element("Prefix", prefix),
    element("KeyCount", String(page.length)),
    element("MaxKeys", String(limit)),
    element("IsTruncated", String(truncated)),
    ...page.map((object) =>
      element("Contents", [
        element("Key", object.key),
        element("LastModified", new Date(object.modified).toISOString()),
        element("ETag", object.etag),
        element("Size", String(object.size)),
        element("StorageClass", "STANDARD"),
      ]),
    ),
    ...(truncated ? [element("NextContinuationToken", Buffer.from(page.at(-1)!.key).toString("base64url"))] : []),
  ]);
  return { status: 200, headers: { "content-type": "application/xml" }, body };
};
