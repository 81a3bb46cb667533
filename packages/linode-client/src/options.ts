import type { Dispatcher } from "undici";
import type { RetryOptions } from "./retry.ts";
import type { System } from "./system.ts";

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

export interface Hooks {
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
  /** Put before the client's own name. */
  readonly userAgent?: string;
  /** Longest wait for the head of an answer and between parts of its body. Default 30 000. */
  readonly timeoutMs?: number;
  readonly retry?: RetryOptions;
  /** `false`: no cache. `expiryMs` replaces the expiry of every cached answer. */
  readonly cache?: false | { readonly expiryMs?: number };
  readonly hooks?: Hooks;
  readonly debug?: (entry: DebugEntry) => void;
  /** Time and chance. Default: the real ones. */
  readonly system?: System;
  /** Replaces the client's own connection pool; `ca` and `proxyFor` are then ignored and `close()` leaves it open. */
  readonly dispatcher?: Dispatcher;
}
