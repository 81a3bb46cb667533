import { createHash } from "node:crypto";
import type { StoredObject } from "../objects/stored-object.ts";
import type { BlobAnswer, BlobCall } from "./blob-call.ts";
import { blobRefusal } from "./blob-refusal.ts";
import { checkConditions } from "./conditions.ts";
import { partOf } from "./range.ts";

const metadataPrefix = "x-ms-meta-";

/** The blobs of the container; refuses if there is no such container. */
export const blobsOf = ({ account, target }: BlobCall): StoredObject[] => {
  const blobs = Object.hasOwn(account.containers, target.container) ? account.containers[target.container] : undefined;
  if (blobs === undefined) throw blobRefusal(404, "ContainerNotFound", "The specified container does not exist.");
  return blobs;
};

/** The operations on one blob, by method. */
export const blobOperations: Readonly<Record<string, (call: BlobCall) => BlobAnswer>> = {
  GET: (call) => {
    const found = read(call);
    const body = Buffer.from(found.body, "base64");
    const part = partOf(body, call.headers["x-ms-range"] ?? call.headers["range"]);
    if (part === undefined) return { status: 200, headers: described(found), body };
    const headers = { ...described(found), "content-length": String(part.bytes.length), "content-range": part.range };
    return { status: 206, headers, body: part.bytes };
  },
  HEAD: (call) => ({ status: 200, headers: described(read(call)) }),
  PUT: (call) => {
    call.access.demand("write");
    const blobs = blobsOf(call);
    checkPut(call);
    const at = blobs.findIndex(({ key }) => key === call.target.blob);
    const before = blobs[at];
    if (before !== undefined && call.access.createsOnly) {
      throw blobRefusal(403, "UnauthorizedBlobOverwrite", "This request is not authorized to perform blob overwrites.");
    }
    checkConditions(call, before);
    const blob = stored(call, before);
    blobs.splice(before === undefined ? blobs.length : at, 1, blob);
    const { etag, "last-modified": modified = "", "content-md5": md5 = "" } = described(blob);
    const headers = { etag: etag ?? "", "last-modified": modified, "content-md5": md5 };
    return { status: 201, headers: { ...headers, "x-ms-request-server-encrypted": "true" } };
  },
  DELETE: (call) => {
    call.access.demand("delete");
    const blobs = blobsOf(call);
    const found = find(call, blobs);
    checkConditions(call, found);
    blobs.splice(blobs.indexOf(found), 1);
    return { status: 202, headers: { "x-ms-delete-type-permanent": "true" } };
  },
};

const find = ({ target }: BlobCall, blobs: readonly StoredObject[]): StoredObject => {
  const found = blobs.find(({ key }) => key === target.blob);
  if (found === undefined) throw blobRefusal(404, "BlobNotFound", "The specified blob does not exist.");
  return found;
};

const read = (call: BlobCall): StoredObject => {
  call.access.demand("read");
  const found = find(call, blobsOf(call));
  checkConditions(call, found);
  return found;
};

const checkPut = ({ body, headers, target }: BlobCall): void => {
  if (target.blob.length > 1024) {
    throw blobRefusal(
      400,
      "InvalidResourceName",
      "The specified resource name length is not within the permissible limits.",
    );
  }
  if (headers["x-ms-blob-type"] !== "BlockBlob") {
    const why = "An HTTP header that's mandatory for this request is not specified: x-ms-blob-type: BlockBlob.";
    throw blobRefusal(400, "MissingRequiredHeader", why, { violation: headers["x-ms-blob-type"] !== undefined });
  }
  const md5 = headers["content-md5"];
  if (md5 !== undefined && md5 !== digest("md5", body).toString("base64")) {
    throw blobRefusal(400, "Md5Mismatch", "The MD5 value specified in the request did not match the calculated one.");
  }
  for (const name of Object.keys(metadataOf(headers))) {
    if (/^[a-z_][a-z0-9_]*$/i.test(name)) continue;
    throw blobRefusal(400, "InvalidMetadata", `The metadata name ${name} is no identifier.`);
  }
};

const digest = (algorithm: "md5" | "sha256", data: string | Uint8Array): Buffer =>
  createHash(algorithm).update(data).digest();

const metadataOf = (headers: BlobCall["headers"]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith(metadataPrefix) ? [[name.slice(metadataPrefix.length), value]] : [],
    ),
  );

/** Every write has an ETag of its own, also one of the same bytes. */
const etagOf = (call: BlobCall, before: StoredObject | undefined): string => {
  const seed = [call.now, before?.etag ?? "", digest("sha256", call.body).toString("hex")].join();
  return `"0x${digest("sha256", seed).toString("hex").slice(0, 15).toUpperCase()}"`;
};

const stored = (call: BlobCall, before: StoredObject | undefined): StoredObject => ({
  key: call.target.blob,
  body: Buffer.from(call.body).toString("base64"),
  size: call.body.length,
  etag: etagOf(call, before),
  contentType: call.headers["x-ms-blob-content-type"] ?? call.headers["content-type"] ?? "application/octet-stream",
  metadata: metadataOf(call.headers),
  modified: call.now,
});

const described = (blob: StoredObject): Readonly<Record<string, string>> => ({
  etag: blob.etag,
  "content-type": blob.contentType,
  "content-length": String(blob.size),
  "content-md5": digest("md5", Buffer.from(blob.body, "base64")).toString("base64"),
  "last-modified": new Date(blob.modified).toUTCString(),
  "accept-ranges": "bytes",
  "x-ms-blob-type": "BlockBlob",
  "x-ms-creation-time": new Date(blob.modified).toUTCString(),
  "x-ms-lease-status": "unlocked",
  "x-ms-lease-state": "available",
  "x-ms-server-encrypted": "true",
  ...Object.fromEntries(Object.entries(blob.metadata).map(([name, value]) => [`${metadataPrefix}${name}`, value])),
});
