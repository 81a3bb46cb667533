import type { ObjectStore, PutOptions } from "@capstan/contract/v1";
import { checkExpiry, checkKey, checkSize } from "@capstan/kit/delivery";
import { addressMissing, storeError, translate } from "./errors.ts";
import type { LocalFolder } from "./local-folder.ts";
import type { ObjectFiles } from "./object-files.ts";
import { hasSteps, signedPath } from "./url-signature.ts";
import type { SignedRequest } from "./url-signature.ts";

const maxSignedSeconds = 604_800;
const maxMetadataBytes = 2048;

const named = (verb: string, key: string, bucket: string): string => `${verb} object "${key}" in bucket "${bucket}"`;

const check = (key: string, doing: string): void => {
  checkKey(key, doing);
  if (hasSteps(key)) throw storeError("invalidArgument", doing, `no part of the key may be "." or ".."`);
};

const checkAbout = ({ contentType = "", metadata = {} }: PutOptions, doing: string): void => {
  const size = Buffer.byteLength(JSON.stringify([contentType, metadata]));
  if (size <= maxMetadataBytes && /^[\x20-\x7e]*$/.test(contentType)) return;
  const why = `content type and metadata must be plain and have at most ${maxMetadataBytes} bytes`;
  throw storeError("invalidArgument", doing, why);
};

/** Runs one call; its failures are translated. */
const call = async <T>(doing: string, signal: AbortSignal | undefined, run: () => Promise<T>): Promise<T> => {
  try {
    signal?.throwIfAborted();
    return await run();
  } catch (error) {
    throw translate(error, doing, signal);
  }
};

interface Destination {
  readonly files: ObjectFiles;
  readonly maxObjectBytes: number;
  /** The address of URLs; throws when no machine can reach it. */
  readonly reachable: (doing: string) => string;
}

const putInto =
  (bucket: string, { files, maxObjectBytes, reachable }: Destination): ObjectStore["put"] =>
  (key, bytes, options = {}) => {
    const doing = named("put", key, bucket);
    return call(doing, options.signal, async () => {
      check(key, doing);
      checkSize(bytes, maxObjectBytes, doing);
      checkAbout(options, doing);
      reachable(doing);
      if (!(await files.exists())) throw storeError("bucketNotFound", doing, "the bucket does not exist");
      const { contentType = "application/octet-stream", metadata = {}, ifNoneMatch } = options;
      const { etag } = await files.write({ key, bytes, contentType, metadata }, { once: ifNoneMatch === "*" });
      return { size: bytes.length, etag };
    });
  };

/** One bucket as an `ObjectStore`. */
export const localStore = (bucket: string, folder: LocalFolder): Required<Omit<ObjectStore, "empty">> => {
  const { clock, maxObjectBytes } = folder;
  const files = folder.bucket(bucket);
  const reachable = (doing: string): string => {
    const address = folder.address();
    if (address === undefined) throw addressMissing(doing);
    return address;
  };
  const sign = async (permits: SignedRequest["permits"], key: string, expiresInSeconds: number) => {
    const doing = named("sign a URL for", key, bucket);
    check(key, doing);
    checkExpiry(expiresInSeconds, maxSignedSeconds, doing);
    const expires = Math.floor(clock.now() / 1000) + expiresInSeconds;
    const signingKey = await call(doing, undefined, () => folder.signingKey());
    const url = `${reachable(doing)}${signedPath({ permits, bucket, key, expires }, signingKey)}`;
    return { url, expiresAt: expires * 1000 };
  };
  return {
    capabilities: { maxSignedSeconds, maxObjectBytes, list: true },
    put: putInto(bucket, { files, maxObjectBytes, reachable }),
    signGet: (key, { expiresInSeconds }) => sign("get", key, expiresInSeconds),
    signPut: async (key, { expiresInSeconds }) => ({ ...(await sign("put", key, expiresInSeconds)), headers: {} }),
    get: (key, { maxBytes, signal }) => {
      const doing = named("read", key, bucket);
      return call(doing, signal, async () => {
        await using found = await files.find(key);
        if (found === undefined) return null;
        const { file, size, start } = found;
        if (size > maxBytes) throw storeError("tooLarge", doing, `it has ${size} bytes, more than ${maxBytes}`);
        const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(size), position: start });
        return buffer.subarray(0, bytesRead);
      });
    },
    head: (key, { signal } = {}) =>
      call(named("look for", key, bucket), signal, async () => {
        await using found = await files.find(key);
        if (found === undefined) return null;
        const { size, etag, lastModified, metadata } = found;
        return { size, etag, lastModified, metadata };
      }),
    delete: (key, { signal } = {}) =>
      call(named("delete", key, bucket), signal, async () => ({ existed: await files.remove(key) })),
    list: (prefix, { signal } = {}) => {
      const doing = `list objects "${prefix}*" in bucket "${bucket}"`;
      return call(doing, signal, async () => {
        if (!(await files.exists())) throw storeError("bucketNotFound", doing, "the bucket does not exist");
        return { keys: await files.list(prefix) };
      });
    },
  };
};
