import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { BlockBlobClient, ContainerClient } from "@azure/storage-blob";
import type { ObjectStore } from "@capstan/contract/v1";
import { checkExpiry, checkKey, checkSize } from "@capstan/kit/delivery";
import { clockSkewMs, connect, type Connection } from "./client.ts";
import { classify, storeError, translate } from "./errors.ts";
import { blobsOfPage as maxPageSize } from "./foreign-answers.ts";
import { azureBlobDefaults, type AzureBlobObjectStoreOptions } from "./options.ts";
import type { StoreSettings } from "./settings.ts";

/** Maximum validity that a user delegation key allows, in seconds. Account keys would sign for longer. */
const maxSignedSeconds = 604_800;
/** One call takes more; bootstrap data never has so much. */
const maxObjectBytes = 256 * 1024 ** 2;

/** One call to the store; its failures are translated. */
type Call = <T>(
  doing: string,
  signal: AbortSignal | undefined,
  run: (connection: Connection, abortSignal: AbortSignal) => Promise<T>,
  attempts?: () => number,
) => Promise<T>;

/** Connects with the first call. A store that does not answer is given up after the time of a call. */
const caller = (settings: StoreSettings, options: AzureBlobObjectStoreOptions): Call => {
  const { clock, timeoutMs = azureBlobDefaults.timeoutMs } = options;
  let connection: Promise<Connection> | undefined;
  return async (doing, signal, run, attempts) => {
    const timer = new AbortController();
    const cancel = clock.schedule(timeoutMs, () => timer.abort());
    const either = signal === undefined ? timer.signal : AbortSignal.any([signal, timer.signal]);
    connection ??= connect(settings, options);
    try {
      return await run(await connection, either);
    } catch (error) {
      throw translate(error, doing, { attempts: attempts?.(), now: clock.now(), signal, timer: timer.signal });
    } finally {
      cancel();
    }
  };
};

const named = (verb: string, key: string, container: string): string =>
  `${verb} blob "${key}" in container "${container}"`;

/** Names of metadata are identifiers at Azure; ours are lower case with hyphens. */
const storedMetadata = (metadata: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name.replaceAll("-", "_"), value]));

const readMetadata = (metadata: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name.replaceAll("_", "-"), value]));

const blobOf = (container: ContainerClient, key: string): BlockBlobClient => container.getBlockBlobClient(key);

const signerFor =
  ({ account, container: containerName, endpoint }: StoreSettings, call: Call, now: () => number) =>
  async (key: string, expiresInSeconds: number, permits: "r" | "c") => {
    const doing = named("sign a URL for", key, containerName);
    checkKey(key, doing);
    checkExpiry(expiresInSeconds, maxSignedSeconds, doing);
    const expiresAt = Math.floor(now() / 1000) * 1000 + expiresInSeconds * 1000;
    const url = await call(doing, undefined, async ({ sdk, container, signer }, signal) => {
      const values = {
        containerName,
        blobName: key,
        permissions: sdk.BlobSASPermissions.parse(permits),
        startsOn: new Date(now() - clockSkewMs),
        expiresOn: new Date(expiresAt),
        protocol: endpoint.startsWith("https:") ? sdk.SASProtocol.Https : sdk.SASProtocol.HttpsAndHttp,
      };
      const by = await signer(expiresAt, signal);
      const sas =
        by instanceof sdk.StorageSharedKeyCredential
          ? sdk.generateBlobSASQueryParameters(values, by)
          : sdk.generateBlobSASQueryParameters(values, by, account);
      return `${blobOf(container, key).url}?${sas.toString()}`;
    });
    return { url, expiresAt };
  };

/** One container as an `ObjectStore`. */
export const azureBlobStore = (
  settings: StoreSettings,
  options: AzureBlobObjectStoreOptions,
): Required<Omit<ObjectStore, "empty">> => {
  const name = settings.container;
  const call = caller(settings, options);
  const sign = signerFor(settings, call, options.clock.now.bind(options.clock));
  return {
    capabilities: { maxSignedSeconds, maxObjectBytes, list: true },
    put: putInto(name, call),
    signGet: (key, { expiresInSeconds }) => sign(key, expiresInSeconds, "r"),
    // To create is not to overwrite; the header alone decides when both were permitted.
    signPut: async (key, { expiresInSeconds }) => ({
      ...(await sign(key, expiresInSeconds, "c")),
      headers: { "if-none-match": "*", "x-ms-blob-type": "BlockBlob" },
    }),
    get: (key, { maxBytes, signal }) => {
      const doing = named("read", key, name);
      return call(doing, signal, async ({ container }, abortSignal) => {
        const answer = await orMissing(blobOf(container, key).download(0, undefined, { abortSignal }));
        return answer === undefined ? null : readBody(answer, maxBytes, doing);
      });
    },
    head: (key, { signal } = {}) =>
      call(named("look for", key, name), signal, async ({ container }, abortSignal) => {
        const found = await orMissing(blobOf(container, key).getProperties({ abortSignal }));
        if (found === undefined) return null;
        const { contentLength = 0, etag, lastModified, metadata } = found;
        return {
          size: contentLength,
          metadata: readMetadata(metadata),
          ...(etag === undefined ? {} : { etag }),
          ...(lastModified === undefined ? {} : { lastModified: lastModified.getTime() }),
        };
      }),
    delete: (key, { signal } = {}) =>
      call(named("delete", key, name), signal, async ({ container }, abortSignal) => {
        const answer = await orMissing(blobOf(container, key).delete({ abortSignal, deleteSnapshots: "include" }));
        return { existed: answer !== undefined };
      }),
    list: (prefix, { signal, token } = {}) =>
      call(`list blobs "${prefix}*" in container "${name}"`, signal, async ({ container }, abortSignal) => {
        const pages = container
          .listBlobsFlat({ prefix, abortSignal })
          .byPage({ maxPageSize, ...(token === undefined ? {} : { continuationToken: token }) });
        const { value } = await pages.next();
        const { continuationToken: next = "", segment } = value as ListPage;
        const keys = segment.blobItems.map((item) => item.name);
        return next === "" ? { keys } : { keys, next };
      }),
  };
};

interface ListPage {
  readonly continuationToken?: string;
  readonly segment: { readonly blobItems: readonly { readonly name: string }[] };
}

const putInto =
  (name: string, call: Call): ObjectStore["put"] =>
  async (key, bytes, { contentType = "application/octet-stream", metadata = {}, ifNoneMatch, signal } = {}) => {
    const doing = named("put", key, name);
    checkKey(key, doing);
    checkSize(bytes, maxObjectBytes, doing);
    let attempts = 0;
    // Asked for with every attempt.
    const body = (): Readable => {
      attempts += 1;
      return Readable.from([bytes]);
    };
    const upload = call(
      doing,
      signal,
      ({ container }, abortSignal) =>
        blobOf(container, key).upload(body, bytes.length, {
          abortSignal,
          blobHTTPHeaders: { blobContentType: contentType },
          metadata: storedMetadata(metadata),
          ...(ifNoneMatch === undefined ? {} : { conditions: { ifNoneMatch } }),
        }),
      () => attempts,
    );
    const { etag } = await upload;
    return { size: bytes.length, attempts, ...(etag === undefined ? {} : { etag }) };
  };

/** A missing blob, or its missing container, is `undefined`. */
const orMissing = async <T>(call: Promise<T>): Promise<T | undefined> => {
  try {
    return await call;
  } catch (error) {
    const meaning = classify(error as Error);
    if (meaning === "objectNotFound" || meaning === "bucketNotFound") return undefined;
    throw error;
  }
};

interface Download {
  readonly contentLength?: number;
  readonly readableStreamBody?: NodeJS.ReadableStream | undefined;
}

/** The body, unless it is larger than asked for; then no one reads it. */
const readBody = async (
  { contentLength = 0, readableStreamBody: body }: Download,
  maxBytes: number,
  doing: string,
): Promise<Uint8Array> => {
  if (contentLength <= maxBytes) return body === undefined ? new Uint8Array() : new Uint8Array(await buffer(body));
  (body as { destroy?: () => void } | undefined)?.destroy?.();
  throw storeError("tooLarge", doing, `it has ${contentLength} bytes, more than ${maxBytes}`);
};
