import type { Readable } from "node:stream";
import { rootCertificates } from "node:tls";
import { Agent, ProxyAgent, request as send } from "undici";
import type { Dispatcher } from "undici";
import { misfit } from "./answer-shapes.ts";
import { TimedCache } from "./cache.ts";
import { endpoint } from "./endpoint.ts";
import { LinodeError, isJson, parseErrorBody } from "./error.ts";
import type { ErrorReason, LinodeErrorOptions } from "./error.ts";
import type { AttemptEnd, CallDescription, DebugEntry, LinodeClientOptions, OutgoingRequest } from "./options.ts";
import type { ApiPath } from "./path.ts";
import { type ObservedRateLimits, RateBudget } from "./rate-limit.ts";
import { redactBody, redactHeaders } from "./redact.ts";
import { retryAfterMs } from "./retry-after.ts";
import { isRetryable, retryRules, retryWaitMs } from "./retry.ts";
import type { Attempt, RetryRules } from "./retry.ts";
import { realSystem } from "./system.ts";
import type { System } from "./system.ts";
import type { CallOptions, Filter } from "./types/api.ts";

const version = "0.1.0";

export interface ApiCall {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: ApiPath;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly filter?: Filter | undefined;
  readonly body?: unknown;
  /** The media type of a body of bytes. */
  readonly mediaType?: string;
  /** An answer that is not JSON. */
  readonly answers?: "bytes";
  /** Keeps a GET's answer this long. */
  readonly cacheMs?: number;
  /** Is told how long the text of an answer was. */
  readonly onText?: (characters: number) => void;
}

interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** In the place of `body`, where bytes were asked for. */
  readonly bytes?: Uint8Array;
}

type Outcome = { readonly value: unknown; readonly status: number } | { readonly attempt: Attempt };

const familyOf = ({ method, path }: ApiCall): string => `${method} ${path.family}`;

/** Sends calls: headers, retries, errors, hooks, the debug log, rate limits and the cache. Knows no endpoint. */
export class Transport {
  readonly system: System;
  readonly cache: TimedCache;
  readonly rateLimits: ObservedRateLimits;
  readonly #options: LinodeClientOptions;
  readonly #base: string;
  readonly #rules: RetryRules;
  readonly #dispatcher: Dispatcher;

  constructor(options: LinodeClientOptions) {
    const { url, version: apiVersion } = endpoint(options.url, options.apiVersion);
    this.#options = options;
    this.#base = `${url}/${apiVersion}/`;
    this.#rules = retryRules(options.retry);
    this.system = options.system ?? realSystem;
    this.rateLimits = (options.budget ?? new RateBudget()).of(options.token ?? "");
    this.cache = new TimedCache(() => this.system.now(), options.cache === false ? undefined : options.cache?.expiryMs);
    this.cache.enabled = options.cache !== false;
    this.#dispatcher = options.dispatcher ?? agent(url, options);
  }

  async call<T>(call: ApiCall, options: CallOptions = {}): Promise<T> {
    if (call.cacheMs === undefined) return (await this.#send(call, options)) as T;
    const key = `${call.path.text} ${JSON.stringify([call.query, call.filter])}`;
    const known = this.cache.get(key);
    if (known !== undefined) return known as T;
    const answer = await this.#send(call, options);
    this.cache.set(key, answer, call.cacheMs);
    return answer as T;
  }

  /** Puts bytes where the API said. It is not retried: what a stream has given is gone. */
  async upload(url: string, bytes: Uint8Array | Readable, options: CallOptions = {}): Promise<void> {
    const base = { method: "PUT", path: "images/upload" };
    const failed = (more: Omit<LinodeErrorOptions, "method" | "path">): LinodeError => {
      const error = new LinodeError({ ...base, ...more });
      this.#debug({ event: "failure", method: "PUT", url: base.path, error: error.message });
      return error;
    };
    this.#debug({ event: "request", method: "PUT", url: base.path });
    const answer = await this.#put(url, bytes, options).catch((cause: unknown) => {
      options.signal?.throwIfAborted();
      throw failed({ errors: [{ reason: failureText(cause) }], cause });
    });
    const { status, headers, body, statusText } = answer;
    if (status < 200 || status > 299) {
      throw failed({ status, headers, errors: parseErrorBody(body, headers["content-type"] ?? "", statusText) });
    }
    this.#debug({ event: "response", method: "PUT", url: base.path, status });
  }

  async #put(url: string, body: Uint8Array | Readable, options: CallOptions): Promise<Answer> {
    const timeoutMs = options.timeoutMs ?? this.#options.timeoutMs ?? 30_000;
    return answerOf(
      await send(url, {
        method: "PUT",
        headers: { "content-type": "application/octet-stream" },
        body,
        signal: options.signal ?? null,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        dispatcher: this.#dispatcher,
      }),
    );
  }

  async close(): Promise<void> {
    if (this.#options.dispatcher === undefined) await this.#dispatcher.close();
  }

  async #send(call: ApiCall, options: CallOptions): Promise<unknown> {
    const description = { family: familyOf(call), method: call.method, path: call.path.text };
    const around = this.#options.hooks?.aroundCall;
    const run = (): Promise<unknown> => this.#tries(call, options, description);
    return around === undefined ? run() : around(description, run);
  }

  async #tries(call: ApiCall, options: CallOptions, description: CallDescription): Promise<unknown> {
    for (let retries = 0; ; retries += 1) {
      options.signal?.throwIfAborted();
      await this.#budget(description.family, options);
      const ended = await this.#options.hooks?.admit?.(description, options);
      const began = this.system.now();
      const outcome = await this.#attempt(call, options).catch((error: unknown) => {
        ended?.({});
        throw error;
      });
      ended?.(this.#endOf(outcome, { family: description.family, began }));
      const status = "value" in outcome ? outcome.status : outcome.attempt.status;
      this.#options.hooks?.afterAttempt?.({
        ...description,
        retries,
        durationMs: this.system.now() - began,
        ...(status === undefined ? {} : { status }),
      });
      if ("value" in outcome) return outcome.value;
      const { attempt } = outcome;
      if (retries >= this.#rules.maxRetries || !isRetryable(attempt, this.#rules)) throw toError(attempt);
      const waitMs = retryWaitMs(attempt.headers, this.#rules, this.system.now(), this.system.random());
      this.#debug({
        event: "retry",
        method: call.method,
        url: this.#url(call),
        waitMs,
        error: toError(attempt).message,
      });
      await this.system.sleep(waitMs, options.signal === undefined ? {} : { signal: options.signal });
    }
  }

  #endOf(outcome: Outcome, { began, family }: { readonly began: number; readonly family: string }): AttemptEnd {
    const status = "value" in outcome ? outcome.status : outcome.attempt.status;
    const known = this.rateLimits.get(family);
    const asked =
      "value" in outcome ? undefined : retryAfterMs(outcome.attempt.headers["retry-after"], this.system.now());
    return {
      ...(status !== undefined && { status }),
      ...(known !== undefined && known.observedAt >= began && { rateLimit: known }),
      ...(asked !== undefined && { retryAfterMs: asked }),
    };
  }

  /** Waits until the token may make such a call, if that is wanted. */
  async #budget(family: string, options: CallOptions): Promise<void> {
    for (;;) {
      const waitMs = this.rateLimits.take(family, this.system.now());
      if (waitMs === 0 || this.#options.waitForBudget !== true) return;
      await this.system.sleep(waitMs, options.signal === undefined ? {} : { signal: options.signal });
    }
  }

  async #attempt(call: ApiCall, options: CallOptions): Promise<Outcome> {
    const outgoing = this.#outgoing(call);
    await this.#options.hooks?.beforeRequest?.(outgoing);
    const { method, url, body } = outgoing;
    this.#debug({ event: "request", method, url, headers: redactHeaders(outgoing.headers), body: redactBody(body) });
    const base = { method: call.method, path: call.path.text };
    let answer: Answer;
    try {
      answer = await this.#exchange(outgoing, call, options);
    } catch (failure) {
      options.signal?.throwIfAborted();
      const errors = [{ reason: failureText(failure) }];
      this.#debug({ event: "failure", method, url, error: failureText(failure) });
      return { attempt: { ...base, headers: {}, errors, failure } };
    }
    call.onText?.(answer.body.length);
    this.rateLimits.observe(familyOf(call), answer.headers, this.system.now());
    await this.#options.hooks?.afterResponse?.({ request: outgoing, ...answer });
    const { debug, parse = JSON.parse } = this.#options;
    return read(answer, call, parse, debug && ((entry) => debug({ event: "response", method, url, ...entry })));
  }

  async #exchange(outgoing: OutgoingRequest, { answers }: ApiCall, options: CallOptions): Promise<Answer> {
    const timeoutMs = options.timeoutMs ?? this.#options.timeoutMs ?? 30_000;
    const response = await send(outgoing.url, {
      method: outgoing.method,
      headers: outgoing.headers,
      body: sentBody(outgoing.body),
      signal: options.signal ?? null,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      dispatcher: this.#dispatcher,
    });
    return answerOf(response, answers);
  }

  #outgoing(call: ApiCall): OutgoingRequest {
    const { token, userAgent } = this.#options;
    return {
      method: call.method,
      url: this.#url(call),
      headers: {
        accept: call.answers === "bytes" ? "*/*" : "application/json",
        "content-type": call.mediaType ?? "application/json",
        "user-agent": [userAgent, `capstan-linode-client/${version}`].filter((part) => part !== undefined).join(" "),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(call.filter === undefined ? {} : { "x-filter": JSON.stringify(call.filter) }),
      },
      body: call.body,
    };
  }

  #url(call: ApiCall): string {
    const query = Object.entries(call.query ?? {}).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    return `${this.#base}${call.path.text}${query.length === 0 ? "" : `?${query.join("&")}`}`;
  }

  #debug(entry: DebugEntry): void {
    this.#options.debug?.(entry);
  }
}

/** The longest pages take a few hundred kilobytes; another server may answer without end. */
const maxAnswerBytes = 4 * 1024 ** 2;

const agent = (url: string, { ca, lookup, proxyFor, timeoutMs = 30_000 }: LinodeClientOptions): Dispatcher => {
  const proxyUrl = proxyFor?.(url);
  const connect = { timeout: timeoutMs, ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }) };
  // What is retried is told by the errors of HTTP/1.1.
  const shared = { allowH2: false, maxResponseSize: maxAnswerBytes } as const;
  if (proxyUrl === undefined) {
    return new Agent({ ...shared, connect: { ...connect, ...(lookup === undefined ? {} : { lookup }) } });
  }
  return new ProxyAgent({ ...shared, uri: proxyUrl, requestTls: connect, proxyTls: { timeout: timeoutMs } });
};

const sentBody = (body: unknown): Uint8Array | string | null =>
  body === undefined ? null : body instanceof Uint8Array ? body : JSON.stringify(body);

/** Refusals are JSON, also where bytes were asked for. */
const answerOf = async (response: Dispatcher.ResponseData, answers?: "bytes"): Promise<Answer> => {
  const { statusCode: status, statusText } = response;
  const head = { status, statusText, headers: lowerCase(response.headers) };
  if (answers === undefined || status < 200 || status > 299) return { ...head, body: await response.body.text() };
  return { ...head, body: "", bytes: new Uint8Array(await response.body.arrayBuffer()) };
};

const lowerCase = (headers: Readonly<Record<string, string | readonly string[] | undefined>>) =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), typeof value === "string" ? value : value.join(", ")]],
    ),
  );

const read = async (
  answer: Answer,
  call: ApiCall,
  parse: (text: string) => unknown,
  debug: ((entry: Pick<DebugEntry, "status" | "body" | "headers">) => void) | undefined,
): Promise<Outcome> => {
  const { status, headers, body } = answer;
  const contentType = headers["content-type"] ?? "";
  const failed = (errors: readonly ErrorReason[]) => {
    debug?.({ status, headers, body: errors });
    return { attempt: { method: call.method, path: call.path.text, status, headers, errors } };
  };
  if (status < 200 || status > 299) return failed(parseErrorBody(body, contentType, answer.statusText));
  if (answer.bytes !== undefined) {
    debug?.({ status, headers, body: redactBody(answer.bytes) });
    return { value: answer.bytes, status };
  }
  if (body !== "" && !isJson(contentType)) {
    return failed([{ reason: `the answer is ${contentType || "of no type"}, not JSON` }]);
  }
  try {
    const value: unknown = body === "" ? {} : await parse(body);
    const why = misfit(call, value);
    if (why !== undefined) return failed([{ reason: why }]);
    debug?.({ status, headers, body: redactBody(value) });
    return { value, status };
  } catch (failure) {
    return failed([{ reason: `the answer is not JSON: ${String(failure)}` }]);
  }
};

const toError = ({ failure, ...attempt }: Attempt): LinodeError =>
  new LinodeError({ ...attempt, ...(failure === undefined ? {} : { cause: failure }) });

const failureText = (failure: unknown): string => {
  const { message, code } = failure as { message?: string; code?: string };
  return [code, message ?? String(failure)].filter((part) => part !== undefined && part !== "").join(": ");
};
