import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { CapstanError } from "@capstan/contract";
import type { ObjectStore, ObjectStoreOpener } from "@capstan/contract/v1";

interface Stored {
  readonly bytes: Uint8Array;
  readonly metadata: Readonly<Record<string, string>>;
}

const failure = (code: string, message: string, cause?: unknown): CapstanError =>
  new CapstanError({ code: `objectstore.${code}`, reason: "StoreFailed", message, cause });

/** An object store in memory whose signed URLs are answered over HTTP; the server reads the time from `now`. */
export class SignedStore implements AsyncDisposable {
  readonly objects = new Map<string, Stored>();
  /** Operations in order, for example `put`. */
  readonly calls: string[] = [];
  /** Operations that are refused, for example `delete`. */
  readonly refused = new Set<string>();
  readonly #server: Server;
  readonly #now: () => number;
  readonly #accessKey = "signing-key-of-the-store";

  constructor(now: () => number) {
    this.#now = now;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const { method = "GET" } = request;
    const url = new URL(request.url ?? "/", "http://store");
    const key = decodeURIComponent(url.pathname.slice(1));
    const expires = url.searchParams.get("e") ?? "";
    const given = Buffer.from(url.searchParams.get("s") ?? "", "hex");
    const wanted = this.#signature(method, key, expires, this.#accessKey);
    const genuine = given.length === wanted.length && timingSafeEqual(given, wanted);
    const found = this.objects.get(key);
    if (!genuine || Number(expires) * 1000 <= this.#now()) return void response.writeHead(403).end();
    if (method === "PUT") return void response.writeHead(this.#putOnce(key, body, request)).end();
    if (found === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { "content-type": "application/octet-stream" }).end(found.bytes);
  }

  #putOnce(key: string, bytes: Uint8Array, { headers }: IncomingMessage): number {
    if (headers["if-none-match"] !== "*") return 403;
    if (this.objects.has(key)) return 412;
    this.objects.set(key, { bytes, metadata: {} });
    return 200;
  }

  static async start(now: () => number): Promise<SignedStore> {
    const store = new SignedStore(now);
    await new Promise<void>((resolve) => {
      store.#server.listen(0, "127.0.0.1", resolve);
    });
    return store;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  /** Serves Secrets of type `signed`. */
  get opener(): ObjectStoreOpener {
    return { contract: "v1", type: "signed", open: () => this.open() };
  }

  open(options: { readonly offsetMs?: number; readonly accessKey?: string } = {}): ObjectStore {
    const accessKey = options.accessKey ?? this.#accessKey;
    const enter = (call: string, signal?: AbortSignal): void => {
      this.calls.push(call);
      if (this.refused.has(call)) throw failure("forbidden", `${call} is refused`);
      if (signal?.aborted === true) throw failure("cancelled", "cancelled", signal.reason);
      if (accessKey !== this.#accessKey) throw failure("unauthenticated", "the access key is not known");
    };
    const sign = (method: string, key: string, seconds: number) => {
      if (seconds <= 0 || seconds > 604_800) throw failure("invalid_argument", "the lifetime");
      const expires = Math.floor((this.#now() + (options.offsetMs ?? 0)) / 1000) + seconds;
      const { port } = this.#server.address() as AddressInfo;
      const signature = this.#signature(method, key, String(expires), accessKey).toString("hex");
      const url = `http://127.0.0.1:${port}/${encodeURIComponent(key)}?e=${expires}&s=${signature}`;
      return { url, expiresAt: expires * 1000 };
    };
    return {
      capabilities: { maxSignedSeconds: 604_800, maxObjectBytes: 16 * 1_048_576, list: true },
      put: async (key, bytes, { metadata = {}, signal } = {}) => {
        enter("put", signal);
        if (bytes.length === 0) throw failure("invalid_argument", "an empty object");
        this.objects.set(key, { bytes, metadata });
        return { size: bytes.length };
      },
      signGet: async (key, { expiresInSeconds }) => {
        enter("signGet");
        return sign("GET", key, expiresInSeconds);
      },
      signPut: async (key, { expiresInSeconds }) => {
        enter("signPut");
        return { ...sign("PUT", key, expiresInSeconds), headers: { "if-none-match": "*" } };
      },
      get: async (key, { maxBytes, signal }) => {
        enter("get", signal);
        const found = this.objects.get(key);
        if (found !== undefined && found.bytes.length > maxBytes) throw failure("too_large", "the object is too large");
        return found?.bytes ?? null;
      },
      head: async (key, { signal } = {}) => {
        enter("head", signal);
        const found = this.objects.get(key);
        return found === undefined ? null : { size: found.bytes.length, metadata: found.metadata };
      },
      delete: async (key, { signal } = {}) => {
        enter("delete", signal);
        return { existed: this.objects.delete(key) };
      },
      list: async (prefix, { token = "" } = {}) => {
        enter("list");
        const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > token).toSorted();
        const page = keys.slice(0, 1000);
        const last = page.at(-1);
        return keys.length > page.length && last !== undefined ? { keys: page, next: last } : { keys: page };
      },
    };
  }

  #signature(method: string, key: string, expires: string, accessKey: string): Buffer {
    return createHmac("sha256", accessKey).update(`${method}\n${key}\n${expires}`).digest();
  }
}
