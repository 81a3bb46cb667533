import type { IncomingMessage, ServerResponse } from "node:http";
import { isCapstanError } from "@capstan/contract";
import { own } from "@capstan/schema";
import type { Auditor, RequestAudit } from "../audit/request-audit.ts";
import { FairTurns } from "../registry/fair-turns.ts";
import { randomUid } from "../registry/metadata.ts";
import type { Core } from "../registry/resource-store.ts";
import { badRequest, internalError, isStatusError, methodNotAllowed, StatusError } from "../model/status-error.ts";
import type { Authorize, RequestInfo, User } from "../model/types.ts";
import type { Upgrade } from "../streams/web-socket-transport.ts";
import type { Endpoint, RequestContext } from "./context.ts";
import { timeoutOption } from "./query-values.ts";
import { pageNotFound, type Reply, send, statusReply } from "./reply.ts";
import { requestInfo } from "./request-info.ts";
import { resourceHandler } from "./resource-handler.ts";
import { WaitingBytes } from "./waiting-bytes.ts";
import { withoutWatchPath } from "./watch-path.ts";

/** Finds out who sends a request. Throws a 401 for a bad credential. */
export type Authenticate = (request: IncomingMessage) => Promise<User>;

export interface HandlerOptions {
  readonly core: Core;
  readonly authenticate: Authenticate;
  /** The user that an authenticated one acts as. Throws a 400 or 403. Default: itself. */
  readonly impersonate?: (user: User, request: IncomingMessage) => User;
  readonly authorize: Authorize;
  /** Default: nothing is written about requests. */
  readonly audit?: Auditor;
  /** Answers outside the resources; by exact path, or by the longest prefix that ends in `/`. */
  readonly endpoints: Readonly<Record<string, Endpoint>>;
  readonly onStop: RequestContext["onStop"];
  /** Default: with the usual limits. */
  readonly waiting?: WaitingBytes;
  /** Default: by the time that passes. */
  readonly turns?: FairTurns;
}

const endpointFor = (endpoints: HandlerOptions["endpoints"], path: string): Endpoint | undefined => {
  const prefix = Object.keys(endpoints)
    .filter((candidate) => candidate.endsWith("/") && candidate !== "/" && `${path}/`.startsWith(candidate))
    .sort((left, right) => right.length - left.length)[0];
  return own(endpoints, path) ?? (prefix === undefined ? undefined : endpoints[prefix]);
};

const requestUrl = (request: IncomingMessage): URL => {
  try {
    const url = new URL(`https://server${request.url ?? "/"}`);
    if (url.pathname.includes("%")) {
      decodeURIComponent(url.pathname);
    }
    return url;
  } catch (error) {
    throw badRequest("the URL cannot be read", error);
  }
};

/** All warnings of one answer together; clients refuse larger headers. */
const maximumWarnings = 4_096;

const addWarning = (response: ServerResponse): ((message: string) => void) => {
  const seen = new Set<string>();
  let room = maximumWarnings;
  return (message) => {
    const text = message.replaceAll(/\p{Cc}+/gu, " ").replaceAll(/[\\"]/g, (character) => `\\${character}`);
    room -= text.length;
    if (room >= 0 && !seen.has(text) && !response.headersSent) {
      seen.add(text);
      response.appendHeader("Warning", `299 - "${Buffer.from(text).toString("latin1")}"`);
    }
  };
};

/** Messages to clients while the storage accepts no writes; the path of its file is in the log only. */
const storageGone: Readonly<Record<string, string>> = {
  "apiserver.storage_failed": "changes cannot be kept: the server's storage failed; its log says why",
  "apiserver.storage_closed": "the server is stopping",
};

const replyFor = (error: unknown, core: Core, info: Pick<RequestInfo, "verb" | "path">): Reply => {
  if (isStatusError(error)) {
    return statusReply(error.status);
  }
  const gone = Object.entries(storageGone).find(([code]) => isCapstanError(error, code));
  if (gone !== undefined) {
    return statusReply(new StatusError(503, "ServiceUnavailable", gone[1], { cause: error }).status);
  }
  core.log.error("a request failed", {
    verb: info.verb,
    path: info.path,
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  return statusReply(internalError("the request could not be handled; see the server's log", error).status);
};

const readOnly = ["GET"];

/** Who has shown no valid credential, for the audit log. */
const unidentified: User = { name: "", groups: [] };

/** One request on its way. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly upgrade: Upgrade | undefined;
  readonly auditID: string;
  readonly received: number;
  audit: RequestAudit | undefined;
  /** Empty until it is known who sends the request. */
  user: string;
}

/** The user behind a request, once it is known that the user may do this. */
const admitted = async (options: HandlerOptions, exchange: Exchange, info: RequestInfo, url: URL): Promise<User> => {
  const { request, auditID, received } = exchange;
  const begin = (user: User): void => {
    exchange.audit = options.audit?.(request, { info, user, auditID, received });
  };
  let real: User;
  try {
    real = await options.authenticate(request);
  } catch (error) {
    begin(unidentified);
    throw error;
  }
  begin(real);
  try {
    const user = options.impersonate?.(real, request) ?? real;
    if (user !== real) {
      exchange.audit?.impersonated(user);
    }
    const reason = options.authorize(user, info, url.searchParams);
    exchange.audit?.annotate("authorization.k8s.io/decision", "allow");
    exchange.audit?.annotate("authorization.k8s.io/reason", reason);
    return user;
  } catch (error) {
    exchange.audit?.annotate("authorization.k8s.io/decision", "forbid");
    exchange.audit?.annotate("authorization.k8s.io/reason", "");
    throw error;
  }
};

/** Answers what is none of the resources. */
const endpointReply = async (endpoints: HandlerOptions["endpoints"], context: RequestContext) => {
  const endpoint = endpointFor(endpoints, context.info.path);
  if (endpoint === undefined) {
    return pageNotFound;
  }
  if (!(endpoint.methods ?? readOnly).includes(context.request.method ?? "GET")) {
    throw methodNotAllowed();
  }
  return await endpoint(context);
};

/** The answer, or a 504 when it is not ready in time; the request itself continues. */
const withinTimeout = async (
  { clock }: Core,
  timeoutMs: number,
  reply: Promise<Reply | undefined>,
): Promise<Reply | undefined> => {
  const late = Promise.withResolvers<never>();
  const cancel = clock.schedule(timeoutMs, () =>
    late.reject(new StatusError(504, "Timeout", "Timeout: request did not complete within the requested timeout")),
  );
  try {
    return await Promise.race([reply, late.promise]);
  } finally {
    cancel();
  }
};

const dispatcher = (options: HandlerOptions, waiting: WaitingBytes) => {
  const turns = options.turns ?? new FairTurns();
  const representations = new WeakMap();
  return async (exchange: Exchange): Promise<Reply | undefined> => {
    const { request, response, upgrade } = exchange;
    const url = withoutWatchPath(request.method ?? "GET", requestUrl(request));
    const info = requestInfo(request.method ?? "GET", url);
    const timeoutMs = info.verb === "watch" || upgrade !== undefined ? undefined : timeoutOption(url.searchParams);
    const user = await admitted(options, exchange, info, url);
    exchange.user = user.name;
    const turn = turns.of(user.name);
    await turn.wait();
    const context: RequestContext = {
      core: options.core,
      request,
      response,
      url,
      info,
      user,
      authorize: (verb) => void options.authorize(user, { ...info, verb }, url.searchParams),
      representations,
      warn: addWarning(response),
      turn,
      waiting,
      onStop: options.onStop,
      ...(upgrade === undefined ? {} : { upgrade }),
      ...(exchange.audit === undefined ? {} : { audit: exchange.audit }),
    };
    const reply = info.isResource ? resourceHandler(context) : endpointReply(options.endpoints, context);
    return await (timeoutMs === undefined ? reply : withinTimeout(options.core, timeoutMs, reply));
  };
};

/** Smaller answers are not counted. */
const countedFrom = 64 * 1024;

/** Counts a large answer until it has left; when too much waits for the user already, the answer is to retry. */
const accounted = (reply: Reply, { response, user }: Exchange, waiting: WaitingBytes): Reply => {
  const bytes = Buffer.byteLength(reply.body);
  if (bytes < countedFrom) {
    return reply;
  }
  if (waiting.isFull(user, bytes)) {
    const message = "too many responses are unread on this connection; read them, then retry";
    return statusReply(new StatusError(429, "TooManyRequests", message, { details: { retryAfterSeconds: 1 } }).status);
  }
  waiting.add(user, bytes);
  response.once("close", () => waiting.add(user, -bytes));
  return reply;
};

/** Everything between the socket and the handlers: authentication, authorization, routing, errors. */
export const createRequestHandler = (options: HandlerOptions) => {
  const { core } = options;
  const waiting = options.waiting ?? new WaitingBytes();
  const dispatch = dispatcher(options, waiting);
  const answer = async (exchange: Exchange): Promise<void> => {
    const { request, response } = exchange;
    let reply: Reply | undefined;
    try {
      reply = await dispatch(exchange);
    } catch (error) {
      if (!isStatusError(error)) {
        exchange.audit?.panic(error);
      }
      if (response.headersSent) {
        throw error;
      }
      reply = replyFor(error, core, { verb: request.method ?? "", path: (request.url ?? "").split("?")[0] ?? "" });
    }
    if (reply !== undefined && !response.destroyed) {
      reply = accounted(reply, exchange, waiting);
      await send(request, response, reply);
    }
    await exchange.audit?.completed(reply?.code ?? response.statusCode, reply?.body);
    // A body that no one has read must not be taken for the next request.
    request.resume();
  };
  return async (request: IncomingMessage, response: ServerResponse, upgrade?: Upgrade): Promise<void> => {
    const given = request.headers["audit-id"];
    const isUsable = typeof given === "string" && /^[\w.-]{1,64}$/.test(given);
    const auditID = isUsable ? given : randomUid((length) => core.random.bytes(length));
    response.setHeader("Audit-Id", auditID);
    try {
      await answer({ request, response, upgrade, auditID, received: core.clock.now(), audit: undefined, user: "" });
    } catch (error) {
      if (!response.destroyed) {
        core.log.error("an answer could not be completed", { error: String(error) });
        response.destroy();
      }
    }
  };
};
