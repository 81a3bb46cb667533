import { rootCertificates } from "node:tls";
import type { Clock, ProxyFor } from "@capstan/contract";
import type { Dispatcher } from "undici";
import { Agent, ProxyAgent, request } from "undici";
import { azureError } from "./arm-error.ts";
import { redacted } from "./redact.ts";
import { azureDefaults } from "../options.ts";

export type ArmMethod = "GET" | "HEAD" | "PUT" | "PATCH" | "POST" | "DELETE";

/** Header names are in lower case. */
export type ArmHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface ArmAnswer {
  readonly status: number;
  readonly headers: ArmHeaders;
  /** Parsed JSON, the text where it is none, `undefined` where there is nothing. */
  readonly body: unknown;
}

export interface TransportOptions {
  readonly clock: Clock;
  /** PEM certificates trusted in addition. */
  readonly ca?: string;
  readonly proxyFor?: ProxyFor;
  /** Connections of one's own making, instead of `ca` and `proxyFor`. */
  readonly dispatcher?: Dispatcher;
  readonly timeoutMs?: number;
}

export interface TransportRequest {
  readonly method: ArmMethod;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal: AbortSignal;
  /** Completes "could not …". */
  readonly doing: string;
}

/** One HTTP request; only what has no answer fails. */
export type Transport = (request: TransportRequest) => Promise<ArmAnswer>;

const maxAnswerBytes = 8 * 1024 * 1024;

const jsonOf = (text: string): unknown => {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Proxies and gateways answer with text.
    return text;
  }
};

const dispatcherFor = ({ ca, dispatcher, proxyFor }: TransportOptions): ((url: URL) => Dispatcher) => {
  if (dispatcher !== undefined) return () => dispatcher;
  const connect = ca === undefined ? {} : { ca: [...rootCertificates, ca] };
  const direct = new Agent({ connect, maxResponseSize: maxAnswerBytes });
  const proxies = new Map<string, Dispatcher>();
  return (url) => {
    const uri = proxyFor?.(url.href);
    if (uri === undefined) return direct;
    const known = proxies.get(uri) ?? new ProxyAgent({ uri, requestTls: connect, maxResponseSize: maxAnswerBytes });
    proxies.set(uri, known);
    return known;
  };
};

/** Requests with a time limit, over connections of their own. */
export const armTransport = (options: TransportOptions): Transport => {
  const dispatcherOf = dispatcherFor(options);
  const timeoutMs = options.timeoutMs ?? azureDefaults.timeoutMs;
  return async ({ body, doing, headers, method, signal, url }) => {
    const timer = new AbortController();
    const cancel = options.clock.schedule(timeoutMs, () => {
      const message = `could not ${doing}: no response from ${url.origin} within ${timeoutMs / 1000} s; retrying`;
      timer.abort(azureError("unavailable", message));
    });
    try {
      const answer = await request(url, {
        method,
        headers,
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.any([signal, timer.signal]),
        dispatcher: dispatcherOf(url),
      });
      return { status: answer.statusCode, headers: answer.headers, body: jsonOf(await answer.body.text()) };
    } catch (error) {
      if (timer.signal.aborted) throw timer.signal.reason as Error;
      if (signal.aborted) throw signal.reason as Error;
      const why = redacted(error instanceof Error ? error.message : String(error));
      const message = `could not ${doing}: ${url.origin} is unreachable (${why}); check the network; retrying`;
      throw azureError("unavailable", message, { cause: error });
    } finally {
      cancel();
    }
  };
};
