import { createHash } from "node:crypto";
import { byText } from "@capstan/kube-values";
import { element, xml } from "../http/xml.ts";
import type { StoredObject } from "../objects/stored-object.ts";
import type { S3Account } from "./account.ts";
import { s3Refusal } from "./s3-refusal.ts";

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

const maxKeys = 1000;

/** Runs one authenticated call on the account. */
export const runS3 = (call: S3Call, account: S3Account): S3Answer => {
  const use = call.method === "PUT" || call.method === "DELETE" ? "write" : "read";
  if (!account.allows(call.accessKey, call.bucket, use)) throw s3Refusal(403, "AccessDenied", "Access Denied");
  const objects = account.objects(call.bucket);
  if (objects === undefined) throw s3Refusal(404, "NoSuchBucket", "The specified bucket does not exist");
  if (call.key === "") return bucketCall(call, objects);
  if (Buffer.byteLength(call.key) > 1024) throw s3Refusal(400, "KeyTooLongError", "Your key is too long");
  const operation = objectOperations[call.method];
  if (operation === undefined) {
    throw s3Refusal(405, "MethodNotAllowed", "The method is not allowed", { violation: true });
  }
  return operation(call, objects);
};

const find = (call: S3Call, objects: readonly StoredObject[]): StoredObject => {
  const found = objects.find(({ key }) => key === call.key);
  if (found === undefined) throw s3Refusal(404, "NoSuchKey", "The specified key does not exist.");
  return found;
};

const describe = (object: StoredObject): Readonly<Record<string, string>> => ({
  etag: object.etag,
  "content-type": object.contentType,
  "content-length": String(object.size),
  "last-modified": new Date(object.modified).toUTCString(),
  ...Object.fromEntries(Object.entries(object.metadata).map(([name, value]) => [`x-amz-meta-${name}`, value])),
});

/** Parameters by which a GET says which headers its answer is to have. */
export const answerParameters: ReadonlyMap<string, string> = new Map(
  ["cache-control", "content-disposition", "content-encoding", "content-language", "content-type", "expires"].map(
    (header) => [`response-${header}`, header],
  ),
);

const wantedHeaders = ({ query }: S3Call): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...answerParameters].flatMap(([name, header]) => (query.has(name) ? [[header, query.get(name)!]] : [])),
  );

const objectOperations: Readonly<Record<string, (call: S3Call, objects: StoredObject[]) => S3Answer>> = {
  GET: (call, objects) => {
    const object = find(call, objects);
    return {
      status: 200,
      headers: { ...describe(object), ...wantedHeaders(call) },
      body: Buffer.from(object.body, "base64"),
    };
  },
  HEAD: (call, objects) => ({ status: 200, headers: { ...describe(find(call, objects)), ...wantedHeaders(call) } }),
  PUT: (call, objects) => {
    const at = objects.findIndex(({ key }) => key === call.key);
    if (at >= 0 && call.headers["if-none-match"] === "*") {
      throw s3Refusal(412, "PreconditionFailed", "At least one of the preconditions did not hold");
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

/** Keys of one page. */
const limitOf = ({ query }: S3Call): number => Math.min(Number(query.get("max-keys") ?? maxKeys), maxKeys);

const bucketCall = (call: S3Call, objects: readonly StoredObject[]): S3Answer => {
  if (call.method === "HEAD") return { status: 200 };
  if (call.method === "GET" && call.query.has("versions")) return versionsOf(call, objects);
  if (call.method !== "GET" || call.query.get("list-type") !== "2") {
    throw s3Refusal(
      501,
      "NotImplemented",
      "Of the bucket operations only HEAD, list version 2 and the list of versions are supported",
      {
        violation: true,
      },
    );
  }
  const prefix = call.query.get("prefix") ?? "";
  const limit = limitOf(call);
  const token = call.query.get("continuation-token");
  const after = token === undefined ? "" : Buffer.from(token, "base64url").toString();
  const matching = objects
    .filter(({ key }) => key.startsWith(prefix) && key > after)
    .sort((a, b) => byText(a.key, b.key));
  const page = matching.slice(0, limit);
  const truncated = matching.length > page.length;
  const body = xml("ListBucketResult", [
    element("Name", call.bucket),
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

/** Nothing is kept of what was overwritten or deleted, as in a bucket without versioning. */
const versionsOf = (call: S3Call, objects: readonly StoredObject[]): S3Answer => {
  const prefix = call.query.get("prefix") ?? "";
  const limit = limitOf(call);
  const page = objects.filter(({ key }) => key.startsWith(prefix)).slice(0, limit);
  const body = xml("ListVersionsResult", [
    element("Name", call.bucket),
    element("Prefix", prefix),
    element("MaxKeys", String(limit)),
    element("IsTruncated", String(objects.length > page.length)),
    ...page.map((object) =>
      element("Version", [
        element("Key", object.key),
        element("VersionId", "null"),
        element("IsLatest", "true"),
        element("LastModified", new Date(object.modified).toISOString()),
        element("ETag", object.etag),
        element("Size", String(object.size)),
        element("StorageClass", "STANDARD"),
      ]),
    ),
  ]);
  return { status: 200, headers: { "content-type": "application/xml" }, body };
};
