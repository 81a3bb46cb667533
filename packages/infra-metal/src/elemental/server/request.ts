import type { IncomingMessage } from "node:http";
import { isJsonObject, type JsonObject } from "@capstan/schema";
import { refused } from "./answer.ts";

/** Largest body of a request. */
const maxBodyBytes = 65_536;

/** A request of an agent. */
export interface ApiRequest {
  readonly method: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  /** The body, which has to be a JSON object; an empty one is `{}`. */
  readonly json: () => Promise<JsonObject>;
}

/** Where a request goes. */
export interface Place {
  readonly namespace: string;
  readonly registration: string;
  /** A host, and what is asked of it: nothing, `bootstrap`, `components`, `components/blob`. */
  readonly host?: string;
  readonly part: string;
}

const pattern =
  /^\/elemental\/v1\/namespaces\/([a-z0-9-]{1,63})\/registrations\/([a-z0-9.-]{1,253})(?:\/(hosts)(?:\/([a-z0-9.-]{1,253})(?:\/(bootstrap|components|components\/blob))?)?)?\/?$/;

/** Parses the path of a request; `undefined`: it is not a path of the API. */
export const placeOf = (path: string): Place | undefined => {
  const [, namespace, registration, hosts, host, part] = pattern.exec(path) ?? [];
  if (namespace === undefined || registration === undefined) return undefined;
  if (host === undefined) return { namespace, registration, part: hosts ?? "" };
  return { namespace, registration, host, part: part ?? "host" };
};

/** Reads the JSON object in a body. Throws a refusal: 400, 413. */
export const readJson = async (message: IncomingMessage): Promise<JsonObject> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes) throw refused(413, `the body is larger than ${maxBodyBytes} bytes`);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  let value: unknown;
  try {
    value = text === "" ? {} : JSON.parse(text);
  } catch {
    throw refused(400, "the body is not JSON");
  }
  if (!isJsonObject(value)) throw refused(400, "the body is no JSON object");
  return value;
};

const bearer = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/;

/** The token in a header. Throws a refusal (401) when there is none. */
export const tokenIn = ({ headers }: Pick<ApiRequest, "headers">, header: string): string => {
  const value = headers[header.toLowerCase()];
  const [, token] = bearer.exec(typeof value === "string" ? value : "") ?? [];
  if (token === undefined) throw refused(401, `the header ${header} has to be Bearer and a JSON Web Token`);
  return token;
};
