import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import { parseJson } from "@capstan/schema/structural";
import { stringify } from "yaml";
import { noSuchResource } from "../model/status-error.ts";
import { isSet, partOf } from "../values/object-parts.ts";
import { apiServices } from "../registry/local-api-services.ts";
import type { Core } from "../registry/resource-store.ts";
import type { Status } from "../model/types.ts";
import { endWith } from "./end-with.ts";

/** A complete answer. */
export interface Reply {
  readonly code: number;
  readonly contentType: string;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

const compress = promisify(gzip);
const compressFrom = 128 * 1024;

export const jsonReply = (code: number, body: string | Buffer, headers?: Reply["headers"]): Reply => ({
  code,
  contentType: "application/json",
  body,
  ...(headers === undefined ? {} : { headers }),
});

export const textReply = (code: number, text: string): Reply => ({
  code,
  contentType: "text/plain; charset=utf-8",
  body: text,
});

/** Response for paths outside the API. */
export const pageNotFound: Reply = textReply(404, "404 page not found\n");

/**
 * For paths below the API that mean nothing: a Status where a built-in group begins the path, else a plain text; 503 for a version of
 * which an APIService says that a Service serves it.
 */
export const unknownPath = ({ registry, store }: Core, group: string, version: string): Reply => {
  const elsewhere = store.peek(apiServices, { name: `${version}.${group}` });
  if (isSet(partOf(elsewhere?.["spec"])["service"])) {
    return textReply(503, "service unavailable\n");
  }
  return registry.snapshot.definitions.some(
    (definition) => definition.group === group && definition.origin === "builtin",
  )
    ? statusReply(noSuchResource().status)
    : pageNotFound;
};

/** Longer answers take too long to be laid out: they stay JSON, which is YAML as well. */
const longestLaidOut = 32 * 1024;

/** The same answer written as YAML. */
export const asYaml = (reply: Reply): Reply => {
  if (reply.contentType !== "application/json") {
    return reply;
  }
  const contentType = "application/yaml";
  return Buffer.byteLength(reply.body) > longestLaidOut
    ? { ...reply, contentType }
    : {
        ...reply,
        contentType,
        body: stringify(parseJson(reply.body.toString()), { lineWidth: 0, aliasDuplicateObjects: false }),
      };
};

export const statusReply = (status: Status): Reply => {
  const code = status.code ?? 200;
  const retry = status.details?.retryAfterSeconds;
  return jsonReply(code, JSON.stringify(status), retry === undefined ? undefined : { "Retry-After": String(retry) });
};

/** Sends an answer, compressed when it is large and the client can read that. */
export const send = async (request: IncomingMessage, response: ServerResponse, reply: Reply): Promise<void> => {
  let { body } = reply;
  if (!response.hasHeader("Cache-Control")) {
    response.setHeader("Cache-Control", "no-cache, private");
  }
  for (const [name, value] of Object.entries(reply.headers ?? {})) {
    response.setHeader(name, value);
  }
  if (Buffer.byteLength(body) > compressFrom && /\bgzip\b/.test(request.headers["accept-encoding"] ?? "")) {
    body = await compress(body, { level: constants.Z_BEST_SPEED });
    response.setHeader("Content-Encoding", "gzip");
    response.appendHeader("Vary", "Accept-Encoding");
  }
  response.setHeader("Content-Type", reply.contentType);
  response.setHeader("Content-Length", Buffer.byteLength(body));
  response.writeHead(reply.code);
  endWith(response, request.method === "HEAD" ? "" : body);
};
