import type { LookupFunction } from "node:net";
import type { Dispatcher } from "undici";
import type { RateBudget, RateLimit } from "./rate-limit.ts";
import type { RetryOptions } from "./retry.ts";
import type { System } from "./system.ts";
import type { CallOptions } from "./types/api.ts";

/** A request as it is about to be sent; a hook may add or change headers. */
export interface OutgoingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

export interface IncomingResponse {
  readonly request: OutgoingRequest;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** As received. */
  readonly body: string;
}

/** A call of the API, whatever it takes to make it. */
export interface CallDescription {
  /** The key that calls of one kind share: method and path with `{}` for values. */
  readonly family: string;
  readonly method: string;
  /** Below the API version, without query. */
  readonly path: string;
}

/** The report of one attempt of a call. */
export interface AttemptReport extends CallDescription {
  /** 0 for the first. */
  readonly retries: number;
  /** Absent when no answer arrived. */
  readonly status?: number;
  readonly durationMs: number;
}

/** The outcome of an admitted attempt. */
export interface AttemptEnd {
  /** Absent when no answer arrived. */
  readonly status?: number;
  /** The rate limit of such calls, from the response. */
  readonly rateLimit?: RateLimit;
  /** The wait that a refusal asks for, in milliseconds. */
  readonly retryAfterMs?: number;
}

export interface Hooks {
  /**
   * Before each attempt: it may wait for its turn, and throwing stops the call with that error. What it returns is called once, with how
   * the attempt ended. Options are those of the call.
   */
  readonly admit?: (call: CallDescription, options: CallOptions) => Promise<(end: AttemptEnd) => void>;
  /** Around a whole call with its retries, for the spans of traces. Answers what `run` answers. */
  readonly aroundCall?: <T>(call: CallDescription, run: () => Promise<T>) => Promise<T>;
  /** After each attempt, for metrics. */
  readonly afterAttempt?: (report: AttemptReport) => void;
  /** Before each attempt. Throwing stops the call with that error. */
  readonly beforeRequest?: (request: OutgoingRequest) => void | Promise<void>;
  /** After each answer, also one that will be retried. */
  readonly afterResponse?: (response: IncomingResponse) => void | Promise<void>;
}

/** A line of the debug log; tokens, passwords, user data and keys are replaced. */
export interface DebugEntry {
  readonly event: "request" | "response" | "retry" | "failure";
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status?: number;
  readonly waitMs?: number;
  readonly error?: string;
}

export interface LinodeClientOptions {
  /** A personal access token. Without one only public endpoints answer. */
  readonly token?: string;
  /** Default `https://api.linode.com`; a last path segment that starts with `v` is the API version. */
  readonly url?: string;
  /** Default `v4`. `v4beta` serves fields and endpoints that are not released yet. */
  readonly apiVersion?: string;
  /** PEM certificates trusted in addition to the usual ones. */
  readonly ca?: string;
  /** Given the address of the API, returns that of the HTTP proxy on the way. Default: none. */
  readonly proxyFor?: (url: string) => string | undefined;
  /** Resolves the names of servers, to refuse some. Default: as usual. */
  readonly lookup?: LookupFunction;
  /** Put before the client's own name. */
  readonly userAgent?: string;
  /** Longest wait for the head of an answer and between parts of its body. Default 30 000. */
  readonly timeoutMs?: number;
  readonly retry?: RetryOptions;
  /** Shared by clients, so that they know what their token may still do. Default: one of its own. */
  readonly budget?: RateBudget;
  /** Wait for the next window instead of being refused when the budget says that nothing is left. Default false. */
  readonly waitForBudget?: boolean;
  /** `false`: no cache. `expiryMs` replaces the expiry of every cached answer. */
  readonly cache?: false | { readonly expiryMs?: number };
  readonly hooks?: Hooks;
  readonly debug?: (entry: DebugEntry) => void;
  /** Parses the JSON of an answer, which may take its time; throws for what is none. Default: `JSON.parse`. */
  readonly parse?: (text: string) => unknown;
  /** Time and chance. Default: the real ones. */
  readonly system?: System;
  /** Replaces the client's own connection pool; `ca`, `lookup` and `proxyFor` are then ignored and `close()` leaves it open. */
  readonly dispatcher?: Dispatcher;
}
