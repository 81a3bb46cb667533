import type { CallOptions, ObjectHead, ObjectStore } from "@capstan/contract/v1";
import { checkExpiry, checkKey, checkSize } from "@capstan/kit/delivery";
import { storeError } from "./errors.ts";
import type { AcmeObjectStoreOptions } from "./options.ts";
import type { StoreSettings } from "./settings.ts";
import { escaped, signatureOf } from "./signature.ts";
import { storeCalls, type StoreAnswer } from "./store-calls.ts";

const maxSignedSeconds = 604_800;
const maxObjectBytes = 100 * 1024 ** 2;
const metadataPrefix = "x-acme-meta-";

/** Says which of the two is missing: answers to HEAD have no body. */
const isMissingBucket = ({ headers }: StoreAnswer): boolean => headers["x-acme-missing"] === "bucket";

const headOf = ({ headers }: StoreAnswer): ObjectHead => ({
  size: Number(headers["content-length"] ?? 0),
  metadata: Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith(metadataPrefix) ? [[name.slice(metadataPrefix.length), value]] : [],
    ),
  ),
});

const namedIn = (bucket: string, verb: string, key: string): string => `${verb} object "${key}" in bucket "${bucket}"`;

/** Makes URLs of a bucket that need no credentials until they expire. */
const signer =
  ({ access, bucket, endpoint, secret }: StoreSettings, { clock }: AcmeObjectStoreOptions) =>
  (method: "GET" | "PUT", key: string, expiresInSeconds: number) => {
    const doing = namedIn(bucket, "sign a URL for", key);
    checkKey(key, doing);
    checkExpiry(expiresInSeconds, maxSignedSeconds, doing);
    const path = `/${bucket}/${escaped(key)}`;
    const expires = Math.floor(clock.now() / 1000) + expiresInSeconds;
    const signature = signatureOf({ method, path, expires }, secret);
    const query = new URLSearchParams({ access, expires: String(expires), signature });
    return { url: `${endpoint}${path}?${query.toString()}`, expiresAt: expires * 1000 };
  };

/** One bucket at Acme. */
export const acmeStore = (
  settings: StoreSettings,
  options: AcmeObjectStoreOptions,
): Required<Omit<ObjectStore, "empty">> => {
  const { bucket } = settings;
  const send = storeCalls(settings, options);
  const named = (verb: string, key: string): string => namedIn(bucket, verb, key);
  const pathOf = (key: string): string => `/${bucket}/${escaped(key)}`;
  const signed = signer(settings, options);
  const missing = (answer: StoreAnswer, doing: string): void => {
    if (answer.status !== 404 || !isMissingBucket(answer)) return;
    throw storeError("bucketNotFound", doing, "the bucket does not exist");
  };
  return {
    capabilities: { maxSignedSeconds, maxObjectBytes, list: true },
    put: async (key, bytes, { contentType = "application/octet-stream", metadata = {}, ifNoneMatch, signal } = {}) => {
      const doing = named("put", key);
      checkKey(key, doing);
      checkSize(bytes, maxObjectBytes, doing);
      const headers = {
        "content-type": contentType,
        ...(ifNoneMatch !== undefined && { "if-none-match": ifNoneMatch }),
        ...Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`${metadataPrefix}${name}`, value])),
      };
      const answer = await send({ method: "PUT", path: pathOf(key), doing, body: bytes, headers, signal });
      missing(answer, doing);
      return { size: bytes.length, attempts: answer.attempts };
    },
    signGet: async (key, { expiresInSeconds }) => signed("GET", key, expiresInSeconds),
    signPut: async (key, { expiresInSeconds }) => ({
      ...signed("PUT", key, expiresInSeconds),
      headers: { "if-none-match": "*" },
    }),
    head: async (key, { signal }: CallOptions = {}) => {
      const doing = named("look for", key);
      const answer = await send({ method: "HEAD", path: pathOf(key), doing, signal });
      return answer.status === 404 ? null : headOf(answer);
    },
    get: async (key, { maxBytes, signal }) => {
      const doing = named("get", key);
      const answer = await send({ method: "GET", path: pathOf(key), doing, maxBytes, signal });
      return answer.status === 404 ? null : answer.bytes;
    },
    delete: async (key, { signal }: CallOptions = {}) => {
      const answer = await send({ method: "DELETE", path: pathOf(key), doing: named("delete", key), signal });
      return { existed: answer.status !== 404 };
    },
    list: async (prefix, { signal, token = "" } = {}) => {
      const doing = `list objects "${prefix}*" in bucket "${bucket}"`;
      const query = new URLSearchParams({ prefix, after: token });
      const answer = await send({ method: "GET", path: `/${bucket}?${query.toString()}`, doing, signal });
      missing(answer, doing);
      return JSON.parse(Buffer.from(answer.bytes).toString("utf8")) as { readonly keys: readonly string[] };
    },
  };
};
