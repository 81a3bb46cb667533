import type { Duplex } from "node:stream";
import { type AddressGuard, CapstanError, type Clock, type Secret } from "@capstan/contract";
import { type RateLimit, type Throttle, rateLimiter } from "@capstan/kube-values";
import { type Dispatcher, Pool } from "undici";
import { type UpgradeRequest, upgraded } from "./upgrade.ts";
import { type Access, type AccessOptions, type Credentials, directAccess, type TlsMaterial } from "./access.ts";
import { connectionError } from "./errors.ts";
import { checkProxy, proxyLine } from "./http-proxy.ts";
import { type HttpStream, openStream } from "./response-stream.ts";
import { tlsConnector, tlsOptions } from "./tls-connector.ts";

export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path and query, escaped. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
  /** Longest wait for the answer to begin, and for each further part of it. Default 30 000. */
  readonly timeoutMs?: number | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Limits, in bytes, for what a server may send. */
export interface AnswerSizes {
  /** In one answer, or one line of a watch. */
  readonly answer: number;
  /** In all pages of a list, and in what changes of it until it is listed again. */
  readonly list: number;
}

export const anySize: AnswerSizes = { answer: Infinity, list: Infinity };

/** The way to one API server. Answers of any status are answers; only a failing connection is an error. */
export interface Connection {
  readonly url: string;
  readonly clock: Clock;
  /** Default: answers of any size. */
  readonly sizes?: AnswerSizes;
  /** Over one of the shared connections. Throws `kube.answer_too_large`. */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** Over a connection of its own, without a time limit: ends when either side ends it. */
  open(request: HttpRequest): Promise<HttpStream>;
  /** Turns a connection of its own into one of another protocol. Throws what the answer says when the server refuses. */
  upgrade(request: UpgradeRequest): Promise<Duplex>;
  /** Waits for running requests, then closes every connection. */
  close(): Promise<void>;
}

/** The user agent of a connection, and the field manager of writes that name none. */
export const defaultUserAgent = "capstan";

export interface ConnectionSettings {
  readonly clock: Clock;
  /** Shared connections. Default 16. */
  readonly connections?: number;
  /** Timeout for opening a connection. Default 10 s. */
  readonly connectTimeoutMs?: number;
  /** Default: none; the API server's own flow control applies. */
  readonly limit?: RateLimit;
  /** Default `capstan`. */
  readonly userAgent?: string;
  /** For an address that a user chose, and a proxy on the way to it. Default: connections go anywhere. */
  readonly guard?: AddressGuard;
  /** For a server that a user chose. Default: answers of any size. */
  readonly sizes?: AnswerSizes;
  /** Called after every answer, for metrics. `status` 0: no answer. */
  readonly onAnswer?: (answer: { readonly method: string; readonly status: number; readonly host: string }) => void;
}

/** By address and credentials, or by an `Access` from `loadKubeconfig` or `parseKubeconfig`. */
export type ConnectOptions = ConnectionSettings & (AccessOptions | { readonly access: Access });

interface Lines {
  readonly tls: TlsMaterial;
  readonly requests: Dispatcher;
  readonly watches: Dispatcher;
}

const sameTls = (a: TlsMaterial, b: TlsMaterial): boolean =>
  a === b ||
  (a.ca === b.ca &&
    a.clientCertificate === b.clientCertificate &&
    a.clientKey?.reveal() === b.clientKey?.reveal() &&
    a.serverName === b.serverName &&
    a.skipVerify === b.skipVerify);

const openLines = (access: Access, tls: TlsMaterial, settings: ConnectionSettings): Lines => {
  const { connectTimeoutMs: timeout = 10_000, guard, connections = 16 } = settings;
  const resolved = guard === undefined ? {} : { lookup: guard.lookup };
  const opening = { timeout, keepAlive: true, keepAliveInitialDelay: 30_000 };
  // API servers keep idle connections for 90 s and do not say so.
  const shared = { allowH2: false, keepAliveTimeout: 60_000 };
  const proxy = access.proxyUrl;
  if (proxy !== undefined) {
    const options = { ...shared, requestTls: { ...tlsOptions(tls), ...opening }, proxyTls: resolved };
    const line = (most: number | null) => proxyLine(proxy, tls, { ...options, connections: most });
    return { tls, requests: line(connections), watches: line(null) };
  }
  const connector = tlsConnector(tls, { ...opening, ...resolved });
  // Null: as many as requests run.
  const line = (most: number | null) =>
    new Pool(new URL(access.url).origin, { ...shared, connect: connector, connections: most });
  return { tls, requests: line(connections), watches: line(null) };
};

interface Timeouts {
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
}

const pathOf = ({ path }: HttpRequest): string => path.split("?", 1)[0] ?? path;

class PooledConnection implements Connection {
  readonly url: string;
  readonly clock: Clock;
  readonly sizes: AnswerSizes;
  readonly #access: Access;
  readonly #settings: ConnectionSettings;
  readonly #origin: string;
  readonly #prefix: string;
  readonly #throttle: Throttle | undefined;
  #lines: Lines | undefined;
  #closed = false;

  constructor(access: Access, settings: ConnectionSettings) {
    const url = new URL(access.url);
    checkProxy(access);
    for (const address of [access.url, access.proxyUrl]) if (address !== undefined) settings.guard?.check(address);
    this.url = access.url.replace(/\/$/, "");
    this.clock = settings.clock;
    this.sizes = settings.sizes ?? anySize;
    this.#access = access;
    this.#settings = settings;
    this.#origin = url.origin;
    this.#prefix = url.pathname.replace(/\/$/, "");
    this.#throttle = settings.limit === undefined ? undefined : rateLimiter(settings.limit, settings.clock);
  }

  async send(request: HttpRequest): Promise<HttpAnswer> {
    const timeoutMs = request.timeoutMs ?? 30_000;
    const timeouts = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
    return this.#translated(request, async () => {
      const { status, headers, body } = await this.#dispatch("requests", request, timeouts);
      return { status, headers, body: await body.text(this.sizes.answer) };
    });
  }

  async open(request: HttpRequest): Promise<HttpStream> {
    const timeouts = { headersTimeout: 0, bodyTimeout: 0 };
    return this.#translated(request, () => this.#dispatch("watches", request, timeouts));
  }

  async upgrade(request: UpgradeRequest): Promise<Duplex> {
    return this.#translated(request, async () => {
      await this.#throttle?.({ signal: request.signal });
      const { authorization, tls } = await this.#access.credentials();
      return upgraded(this.#linesFor(tls).watches, request, {
        origin: this.#origin,
        path: this.#prefix + request.path,
        headers: this.#plainHeaders(request, authorization),
        clock: this.clock,
      });
    });
  }

  async close(): Promise<void> {
    const lines = this.#lines;
    this.#lines = undefined;
    this.#closed = true;
    await Promise.all([lines?.requests.close(), lines?.watches.destroy()]);
  }

  async #translated<T>(request: HttpRequest, run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      throw connectionError(error, `${request.method} ${pathOf(request)}`, request.signal);
    }
  }

  async #dispatch(line: keyof Omit<Lines, "tls">, request: HttpRequest, timeouts: Timeouts): Promise<HttpStream> {
    await this.#throttle?.({ signal: request.signal });
    const credentials = await this.#access.credentials();
    const answer = await this.#once(line, request, timeouts, credentials);
    if (answer.status !== 401) return answer;
    const renewed = await this.#access.credentials({ renew: true });
    if (renewed.authorization?.reveal() === credentials.authorization?.reveal()) return answer;
    await answer.body.text(this.sizes.answer);
    return this.#once(line, request, timeouts, renewed);
  }

  async #once(
    line: keyof Omit<Lines, "tls">,
    request: HttpRequest,
    timeouts: Timeouts,
    credentials: Credentials,
  ): Promise<HttpStream> {
    let status = 0;
    try {
      const options = {
        origin: this.#origin,
        method: request.method,
        path: this.#prefix + request.path,
        headers: this.#headers(request, credentials.authorization),
        body: request.body ?? null,
        // Otherwise the connection is not used again after a DELETE that says with its body how.
        reset: false,
        ...timeouts,
      };
      const answer = await openStream(this.#linesFor(credentials.tls)[line], options, request.signal);
      status = answer.status;
      return answer;
    } finally {
      this.#settings.onAnswer?.({ method: request.method, status, host: new URL(this.#origin).host });
    }
  }

  #headers(request: HttpRequest, authorization: Secret<string> | undefined): Record<string, string> {
    return {
      accept: "application/json",
      ...(request.body === undefined ? {} : { "content-type": "application/json" }),
      ...this.#plainHeaders(request, authorization),
    };
  }

  /** Without a type of answers: what streams, as a container runtime behind the API server, refuses a request that asks for one. */
  #plainHeaders(
    { headers }: Pick<HttpRequest, "headers">,
    authorization: Secret<string> | undefined,
  ): Record<string, string> {
    return {
      "user-agent": this.#settings.userAgent ?? defaultUserAgent,
      ...headers,
      ...(authorization === undefined ? {} : { authorization: authorization.reveal() }),
    };
  }

  #linesFor(tls: TlsMaterial): Lines {
    if (this.#closed) throw closed(this.url);
    const current = this.#lines;
    if (current !== undefined && sameTls(current.tls, tls)) return current;
    // Requests that run over the old connections end there; `close` waits for them.
    void Promise.all([current?.requests.close(), current?.watches.close()]);
    this.#lines = openLines(this.#access, tls, this.#settings);
    return this.#lines;
  }
}

const closed = (url: string): CapstanError =>
  new CapstanError({
    code: "kube.unavailable",
    reason: "ConnectionClosed",
    message: `the connection to ${url} is closed; stop what uses it first`,
  });

/** A connection to an API server. Nothing is sent before the first request. Throws `kube.proxy_unusable`, and what the guard throws. */
export const connect = (options: ConnectOptions): Connection =>
  new PooledConnection("access" in options ? options.access : directAccess(options), options);
