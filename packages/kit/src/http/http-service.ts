import { rootCertificates } from "node:tls";
import type { AddressGuard, Clock, Logger, ProxyFor, Random, Secret } from "@capstan/contract";
import { CapstanError, isCapstanError, silentLogger } from "@capstan/contract";
import type { RateLimit } from "@capstan/kube-values";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { parseInTurns, shortJson } from "@capstan/schema/structural";
import type { Dispatcher } from "undici";
import { Agent, ProxyAgent, request } from "undici";
import type { HttpErrors } from "./http-errors.ts";
import { answerError, connectionError, timeoutError } from "./http-errors.ts";
import type { SentWrite } from "../engine/open-writes.ts";
import type { RatePass } from "../gate/rate-gate.ts";
import { RateGate } from "../gate/rate-gate.ts";
import type { Turn } from "../gate/turn.ts";

/** Options of every external call. */
export interface Call {
  readonly signal?: AbortSignal;
  /** Default: the service's. */
  readonly timeoutMs?: number;
  /** Called before something is written, and what it returns with how that ended: verbs of the engine have it in `call`. */
  readonly sent?: () => SentWrite;
  /** The visit that it is part of: verbs of the engine have it in `call`. Calls of a service with a limit are made in turns. */
  readonly turn?: Turn;
}

export interface HttpCall extends Call {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless it is text or bytes. */
  readonly body?: unknown;
  /** Makes a POST safe to repeat: sent as the header `Idempotency-Key`. */
  readonly idempotencyKey?: string;
  /** `ok`: 404 is answered with `undefined` instead of an error. */
  readonly missing?: "ok";
}

export interface HttpServiceOptions {
  /** In error codes (`acme.not_found`) and logs. */
  readonly name: string;
  readonly endpoint: string;
  /** Sent as `Authorization: Bearer`. */
  readonly token?: Secret<string>;
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly errors?: HttpErrors;
  /** Calls wait until the limit has room, in turns; see `RateGate`. Default: none. */
  readonly limit?: RateLimit;
  /** One attempt, from the request to the last byte. Default 30 000. */
  readonly timeoutMs?: number;
  /** Attempts of a call that may be repeated. Default 3. */
  readonly attempts?: number;
  /** PEM certificates to trust in addition to the public ones. */
  readonly ca?: string;
  /** The HTTP proxy on the way to the endpoint. Default: none. */
  readonly proxyFor?: ProxyFor;
  /** For an endpoint that a user chose. Default: connections go anywhere. */
  readonly guard?: AddressGuard;
  /** Connections of one's own making, instead of `ca` and `proxyFor`. */
  readonly dispatcher?: Dispatcher;
  /** Bytes of the longest answer, after which a request fails as one that is cut off. Default: 4 MiB. */
  readonly maxAnswerBytes?: number;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly log?: Logger;
}

/** A JSON API over HTTP. Failures are `CapstanError`s with codes that begin with the service's name. */
export interface HttpService {
  get<T>(path: string, call?: HttpCall): Promise<T>;
  post<T>(path: string, call?: HttpCall): Promise<T>;
  put<T>(path: string, call?: HttpCall): Promise<T>;
  patch<T>(path: string, call?: HttpCall): Promise<T>;
  delete<T = unknown>(path: string, call?: HttpCall): Promise<T | undefined>;
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Methods that may create something. */
const writing: ReadonlySet<Method> = new Set(["POST", "PUT", "PATCH"]);

/** A wait that the vendor asks for and that is longer goes to the caller, so that no worker is held. */
const longestRetryAfterMs = 2000;
const firstBackoffMs = 200;

/** The default rate limit class: all calls of a service together. */
const counted = "calls";

const gateOf = (name: string, limit: RateLimit, clock: Clock): RateGate =>
  new RateGate({
    clock,
    rules: { [counted]: limit },
    refusal: (_, ms) =>
      new CapstanError({
        code: `${name}.rate_limited`,
        reason: "RateLimited",
        message: `${name}: calls are held for ${Math.ceil(ms / 1000)} s, as the service asked`,
        retry: { kind: "after", ms },
      }),
  });

/** A service that a user chose may answer at length: others are served meanwhile. */
const jsonOf = async (text: string): Promise<unknown> => {
  if (text === "") return undefined;
  try {
    return await parseInTurns(text, shortJson, JSON.parse);
  } catch {
    // Proxies answer with text; an error rule may still want to look at it.
    return text;
  }
};

class JsonService {
  readonly #options: HttpServiceOptions;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #log: Logger;
  readonly #gate: RateGate | undefined;
  readonly #dispatcher: Dispatcher;

  constructor(options: HttpServiceOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? cryptoRandom;
    this.#log = options.log ?? silentLogger;
    this.#gate = options.limit === undefined ? undefined : gateOf(options.name, options.limit, this.#clock);
    this.#dispatcher = dispatcherOf(options);
  }

  async send(method: Method, path: string, call: HttpCall): Promise<unknown> {
    const attempts = method !== "POST" || call.idempotencyKey !== undefined ? (this.#options.attempts ?? 3) : 1;
    let ended: SentWrite | undefined;
    for (let attempt = 1; ; attempt += 1) {
      call.signal?.throwIfAborted();
      const { signal, turn } = call;
      const pass = await this.#gate?.admit({ counts: [counted], writes: method !== "GET", turn, signal });
      // What the gate refuses is not sent.
      ended ??= writing.has(method) ? call.sent?.() : undefined;
      try {
        const answer = await this.#attempt(method, path, call);
        pass?.answered();
        ended?.({ attempts: attempt });
        return answer;
      } catch (error) {
        this.#close(pass, error);
        const wait = this.#waitBefore(error, attempt, attempts);
        if (wait === undefined) {
          ended?.({ attempts: attempt, error });
          throw error;
        }
        this.#log.debug("calling again", {
          service: this.#options.name,
          method,
          path: path.split("?")[0],
          attempt,
          waitMs: wait,
        });
        await this.#clock.sleep(wait, call.signal === undefined ? {} : { signal: call.signal });
      }
    }
  }

  #close(pass: RatePass | undefined, error: unknown): void {
    const isRefusal = isCapstanError(error, `${this.#options.name}.rate_limited`);
    if (isRefusal) pass?.refused([counted], error.retry.kind === "after" ? error.retry.ms : firstBackoffMs);
    else pass?.failed();
  }

  /** Milliseconds until the next attempt; `undefined`: give up. */
  #waitBefore(error: unknown, attempt: number, attempts: number): number | undefined {
    const { name } = this.#options;
    if (attempt >= attempts || !isCapstanError(error)) return undefined;
    if (error.retry.kind === "after") return error.retry.ms <= longestRetryAfterMs ? error.retry.ms : undefined;
    const passing = ["unavailable", "timeout", "rate_limited"].some((code) => error.code === `${name}.${code}`);
    if (!passing || error.retry.kind === "never") return undefined;
    return firstBackoffMs * 2 ** (attempt - 1) * (0.5 + this.#random.next());
  }

  async #attempt(method: Method, path: string, call: HttpCall): Promise<unknown> {
    const { errors = {}, name } = this.#options;
    // Queries may be signed: no error shows them.
    const place = path.split("?")[0] ?? "";
    const timeoutMs = call.timeoutMs ?? this.#options.timeoutMs ?? 30_000;
    const timer = new AbortController();
    const cancel = this.#clock.schedule(timeoutMs, () =>
      timer.abort(timeoutError(name, `${method} ${place}`, timeoutMs)),
    );
    const signal = call.signal === undefined ? timer.signal : AbortSignal.any([call.signal, timer.signal]);
    try {
      const answer = await request(this.#url(path, call.query), {
        method,
        signal,
        headers: this.#headers(call),
        body: bodyOf(call.body),
        dispatcher: this.#dispatcher,
      });
      const body = await jsonOf(await answer.body.text());
      const { headers, statusCode: status } = answer;
      if (status === 404 && call.missing === "ok") return undefined;
      if (status >= 400) {
        throw answerError(name, { status, body, headers, method, path: place }, errors, this.#clock.now());
      }
      return body;
    } catch (error) {
      if (isCapstanError(error)) throw error;
      if (timer.signal.aborted) throw timer.signal.reason as Error;
      if (call.signal?.aborted === true) throw call.signal.reason as Error;
      throw connectionError(name, `${method} ${place}`, error);
    } finally {
      cancel();
    }
  }

  #url(path: string, query: HttpCall["query"]): string {
    const url = new URL(this.#options.endpoint.replace(/\/$/, "") + path);
    for (const [key, value] of Object.entries(query ?? {})) {
      if (value !== undefined) url.searchParams.set(key, String(value));
    }
    return url.href;
  }

  #headers(call: HttpCall): Record<string, string> {
    const { headers, token } = this.#options;
    return {
      accept: "application/json",
      "user-agent": "capstan",
      ...(isJson(call.body) ? { "content-type": "application/json" } : {}),
      ...(call.idempotencyKey === undefined ? {} : { "idempotency-key": call.idempotencyKey }),
      ...headers,
      ...call.headers,
      ...(token === undefined ? {} : { authorization: `Bearer ${token.reveal()}` }),
    };
  }
}

const isJson = (body: unknown): boolean =>
  body !== undefined && typeof body !== "string" && !(body instanceof Uint8Array);

const bodyOf = (body: unknown): string | Uint8Array | null => {
  if (body === undefined) return null;
  return typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
};

/** Users who choose an endpoint may have anything answered. */
const usualAnswerBytes = 4 * 1024 ** 2;

const dispatcherOf = (options: HttpServiceOptions): Dispatcher => {
  const { ca, dispatcher, endpoint, guard, maxAnswerBytes = usualAnswerBytes, proxyFor } = options;
  if (dispatcher !== undefined) return dispatcher;
  const connect = ca === undefined ? {} : { ca: [...rootCertificates, ca] };
  const uri = proxyFor?.(endpoint);
  const shared = { maxResponseSize: maxAnswerBytes };
  if (uri !== undefined) return new ProxyAgent({ ...shared, uri, requestTls: connect });
  return new Agent({ ...shared, connect: guard === undefined ? connect : { ...connect, lookup: guard.lookup } });
};

const checkedEndpoint = ({ endpoint, name }: HttpServiceOptions): void => {
  if (URL.canParse(endpoint)) return;
  throw new CapstanError({
    code: `${name}.invalid_endpoint`,
    reason: "InvalidEndpoint",
    message: `${name}: "${endpoint}" is not a URL`,
    retry: { kind: "never" },
  });
};

/** A client of a JSON API: timeouts, a token bucket, repeated attempts where repeating is safe, and errors by table. */
export const httpService = (options: HttpServiceOptions): HttpService => {
  checkedEndpoint(options);
  options.guard?.check(options.endpoint);
  const service = new JsonService(options);
  const verb =
    (method: Method) =>
    async <T>(path: string, call: HttpCall = {}): Promise<T> =>
      (await service.send(method, path, call)) as T;
  return { get: verb("GET"), post: verb("POST"), put: verb("PUT"), patch: verb("PATCH"), delete: verb("DELETE") };
};
