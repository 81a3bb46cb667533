import type {
  GetObjectCommand,
  GetObjectCommandOutput,
  ListObjectVersionsCommand,
  ListObjectVersionsCommandInput,
  ListObjectVersionsCommandOutput,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import type { Clock } from "@capstan/contract";
import type { ObjectStore } from "@capstan/contract/v1";
import { checkExpiry, checkKey, checkSize } from "@capstan/kit/delivery";
import { createClient, loadSdk } from "./client.ts";
import type { Sdk } from "./client.ts";
import { classify, storeError, translate } from "./errors.ts";
import { keysOfPage as MaxKeys } from "./foreign-answers.ts";
import type { S3ObjectStoreOptions } from "./options.ts";
import type { StoreSettings } from "./settings.ts";

const maxSignedSeconds = 604_800;
const maxObjectBytes = 5 * 1024 ** 3;

interface Connection {
  readonly sdk: Sdk;
  readonly client: S3Client;
}

/** One call to the store; its failures are translated. */
type Call = <T>(
  doing: string,
  signal: AbortSignal | undefined,
  run: (connection: Connection, send: { readonly abortSignal?: AbortSignal }) => Promise<T>,
) => Promise<T>;

/** Connects with the first call. */
const caller = (settings: StoreSettings, options: S3ObjectStoreOptions): Call => {
  let connection: Promise<Connection> | undefined;
  return async (doing, signal, run) => {
    connection ??= loadSdk().then((sdk) => ({ sdk, client: createClient(sdk, settings, options) }));
    try {
      return await run(await connection, signal === undefined ? {} : { abortSignal: signal });
    } catch (error) {
      throw translate(error, doing, { now: options.clock.now(), signal });
    }
  };
};

const named = (verb: string, key: string, bucket: string): string => `${verb} object "${key}" in bucket "${bucket}"`;

const putInto =
  (Bucket: string, call: Call): ObjectStore["put"] =>
  async (key, bytes, { contentType, metadata, ifNoneMatch, signal } = {}) => {
    const doing = named("put", key, Bucket);
    checkKey(key, doing);
    checkSize(bytes, maxObjectBytes, doing);
    const answer = await call(doing, signal, ({ sdk, client }, send) =>
      client.send(
        new sdk.PutObjectCommand({
          Bucket,
          Key: key,
          Body: bytes,
          ContentType: contentType ?? "application/octet-stream",
          ...(metadata === undefined ? {} : { Metadata: { ...metadata } }),
          ...(ifNoneMatch === undefined ? {} : { IfNoneMatch: ifNoneMatch }),
        }),
        send,
      ),
    );
    const { attempts } = answer.$metadata;
    return { size: bytes.length, attempts, ...(answer.ETag === undefined ? {} : { etag: answer.ETag }) };
  };

type SignedCommand = GetObjectCommand | PutObjectCommand;

/** Signs without a call. */
const signerFor =
  (Bucket: string, call: Call, clock: Clock) =>
  async (key: string, expiresInSeconds: number, command: (sdk: Sdk) => SignedCommand) => {
    const doing = named("sign a URL for", key, Bucket);
    checkKey(key, doing);
    checkExpiry(expiresInSeconds, maxSignedSeconds, doing);
    const signedAt = clock.now();
    const url = await call(doing, undefined, ({ sdk, client }) =>
      sdk.getSignedUrl(client, command(sdk), { expiresIn: expiresInSeconds, signingDate: new Date(signedAt) }),
    );
    return { url, expiresAt: signedAt + expiresInSeconds * 1000 };
  };

/** One bucket as an `ObjectStore`. */
export const s3Store = (settings: StoreSettings, options: S3ObjectStoreOptions): Required<ObjectStore> => {
  const { bucket: Bucket } = settings;
  const call = caller(settings, options);
  const sign = signerFor(Bucket, call, options.clock);
  return {
    capabilities: { maxSignedSeconds, maxObjectBytes, list: true },
    put: putInto(Bucket, call),
    signGet: (key, { expiresInSeconds }) =>
      sign(key, expiresInSeconds, ({ GetObjectCommand }) => new GetObjectCommand({ Bucket, Key: key })),
    signPut: async (key, { expiresInSeconds }) => {
      const once = { Bucket, Key: key, IfNoneMatch: "*" };
      const signed = await sign(key, expiresInSeconds, ({ PutObjectCommand }) => new PutObjectCommand(once));
      return { ...signed, headers: { "if-none-match": "*" } };
    },
    get: (key, { maxBytes, signal }) => {
      const doing = named("read", key, Bucket);
      return call(doing, signal, async ({ sdk, client }, send) => {
        const answer = await orMissing(client.send(new sdk.GetObjectCommand({ Bucket, Key: key }), send));
        return answer === undefined ? null : readBody(answer, maxBytes, doing);
      });
    },
    head: (key, { signal } = {}) =>
      call(named("look for", key, Bucket), signal, async ({ sdk, client }, send) => {
        const answer = await orMissing(client.send(new sdk.HeadObjectCommand({ Bucket, Key: key }), send));
        if (answer === undefined) return null;
        return {
          size: answer.ContentLength ?? 0,
          metadata: answer.Metadata ?? {},
          ...(answer.ETag === undefined ? {} : { etag: answer.ETag }),
          ...(answer.LastModified === undefined ? {} : { lastModified: answer.LastModified.getTime() }),
        };
      }),
    delete: (key, { signal } = {}) =>
      call(named("delete", key, Bucket), signal, async (connection, send) => {
        const { sdk, client } = connection;
        const answer = await orMissing(client.send(new sdk.DeleteObjectCommand({ Bucket, Key: key }), send));
        if (answer?.VersionId !== undefined) await forgetVersions(connection, { Bucket, Key: key }, send);
        return { existed: answer === undefined ? false : "unknown" };
      }),
    empty: ({ signal } = {}) =>
      call(`empty bucket "${Bucket}"`, signal, (connection, send) => emptied(connection, Bucket, send)),
    list: (prefix, { signal, token } = {}) =>
      call(`list objects "${prefix}*" in bucket "${Bucket}"`, signal, async ({ sdk, client }, send) => {
        const page = { Bucket, MaxKeys, Prefix: prefix, ...(token === undefined ? {} : { ContinuationToken: token }) };
        const answer = await client.send(new sdk.ListObjectsV2Command(page), send);
        const keys = (answer.Contents ?? []).flatMap(({ Key }) => (Key === undefined ? [] : [Key]));
        const next = answer.IsTruncated === true ? answer.NextContinuationToken : undefined;
        return next === undefined ? { keys } : { keys, next };
      }),
  };
};

/** Page after page, until there is none: versions and delete markers are objects of their own. */
const emptied = async (
  { client, sdk }: Connection,
  Bucket: string,
  send: { readonly abortSignal?: AbortSignal },
): Promise<{ readonly deleted: number }> => {
  for (let deleted = 0; ;) {
    const page = await orMissing(client.send(new sdk.ListObjectVersionsCommand({ Bucket, MaxKeys }), send));
    const found = [...(page?.Versions ?? []), ...(page?.DeleteMarkers ?? [])];
    if (found.length === 0) return { deleted };
    for (const { Key, VersionId } of found) {
      const version = VersionId === undefined || VersionId === "null" ? {} : { VersionId };
      await client.send(new sdk.DeleteObjectCommand({ Bucket, Key, ...version }), send);
    }
    deleted += found.length;
  }
};

/**
 * A bucket that keeps versions has only put a marker in the place of a deleted object: its bytes go here. Whose key may not list versions
 * cannot do that, and has deleted what it can.
 */
const forgetVersions = async (
  { client, sdk }: Connection,
  { Bucket, Key }: { readonly Bucket: string; readonly Key: string },
  send: { readonly abortSignal?: AbortSignal },
): Promise<void> => {
  let after: Pick<ListObjectVersionsCommandInput, "KeyMarker" | "VersionIdMarker"> | undefined = {};
  while (after !== undefined) {
    const command: ListObjectVersionsCommand = new sdk.ListObjectVersionsCommand({
      Bucket,
      MaxKeys,
      Prefix: Key,
      ...after,
    });
    const page: ListObjectVersionsCommandOutput | undefined = await unlessDenied(orMissing(client.send(command, send)));
    for (const { Key: key, VersionId } of [...(page?.Versions ?? []), ...(page?.DeleteMarkers ?? [])]) {
      if (key === Key) await client.send(new sdk.DeleteObjectCommand({ Bucket, Key, VersionId }), send);
    }
    after = page === undefined ? undefined : restOf(Key, page);
  }
};

/** Where the list continues. Keys are in order: after its own come those that have it as their beginning. */
const restOf = (
  key: string,
  { IsTruncated, NextKeyMarker, NextVersionIdMarker }: ListObjectVersionsCommandOutput,
): Pick<ListObjectVersionsCommandInput, "KeyMarker" | "VersionIdMarker"> | undefined =>
  IsTruncated === true && NextKeyMarker === key && NextVersionIdMarker !== undefined
    ? { KeyMarker: key, VersionIdMarker: NextVersionIdMarker }
    : undefined;

const unlessDenied = async <T>(call: Promise<T>): Promise<T | undefined> => {
  try {
    return await call;
  } catch (error) {
    if (classify(error as Error) === "forbidden") return undefined;
    throw error;
  }
};

/** A missing object, or its missing bucket, is `undefined`. */
const orMissing = async <T>(call: Promise<T>): Promise<T | undefined> => {
  try {
    return await call;
  } catch (error) {
    const meaning = classify(error as Error);
    if (meaning === "objectNotFound" || meaning === "bucketNotFound") return undefined;
    throw error;
  }
};

/** The body, unless it is larger than asked for; then no one reads it. */
const readBody = async (
  { Body, ContentLength = 0 }: GetObjectCommandOutput,
  maxBytes: number,
  doing: string,
): Promise<Uint8Array> => {
  if (ContentLength <= maxBytes) return (await Body?.transformToByteArray()) ?? new Uint8Array();
  (Body as { destroy?: () => void } | undefined)?.destroy?.();
  throw storeError("tooLarge", doing, `it has ${ContentLength} bytes, more than ${maxBytes}`);
};
