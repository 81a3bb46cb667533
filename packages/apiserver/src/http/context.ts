import type { IncomingMessage, ServerResponse } from "node:http";
import type { RequestAudit } from "../audit/request-audit.ts";
import type { Turn } from "../registry/fair-turns.ts";
import type { Core } from "../registry/resource-store.ts";
import type { RequestInfo, User, Verb } from "../model/types.ts";
import type { Upgrade } from "../streams/web-socket-transport.ts";
import type { Reply } from "./reply.ts";
import type { RepresentationCache } from "./representation.ts";
import type { WaitingBytes } from "./waiting-bytes.ts";

/** One authenticated and authorized request. */
export interface RequestContext {
  readonly core: Core;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly info: RequestInfo;
  readonly user: User;
  /** Throws a 403 when the user may not do this to the same resource, too. */
  readonly authorize: (verb: Verb) => void;
  readonly representations: RepresentationCache;
  /** Adds a `Warning: 299` header; the same text only once. */
  readonly warn: (message: string) => void;
  /** Audit of the request; absent if the request is not audited. */
  readonly audit?: RequestAudit;
  /** Connection of a request that asks for another protocol on it. */
  readonly upgrade?: Upgrade;
  /** Asked before each piece of work that takes milliseconds. */
  readonly turn: Turn;
  /** Bytes that wait for slow clients. */
  readonly waiting: WaitingBytes;
  /** Calls `listener` when the server stops; returns the function that forgets it. */
  readonly onStop: (listener: () => void) => () => void;
}

/** Answers a request; `undefined` when it has written the answer itself (a watch). */
export type Handler = (context: RequestContext) => Promise<Reply | undefined>;

/** A handler of a path outside the resources, for GET unless it says otherwise. */
export type Endpoint = Handler & { readonly methods?: readonly string[] };

/** The endpoint that answers HEAD as well. */
export const withHead = (handler: Handler): Endpoint => Object.assign(handler, { methods: ["GET", "HEAD"] });
