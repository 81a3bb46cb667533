import type { IncomingMessage } from "node:http";
import { jsonText } from "@capstan/schema/structural";
import { type Document, parseAllDocuments } from "yaml";
import { type DecodedBody, parseJsonText } from "../decode/json-text.ts";
import { badRequest, StatusError } from "../model/status-error.ts";

const maximumBytes = 3_145_728;

const tooLarge = (limit: number): StatusError =>
  new StatusError(413, "RequestEntityTooLarge", `Request entity too large: limit is ${limit}`);

/**
 * Reads a request body; throws a 413 above the limit, 3 MiB unless told otherwise. What comes after that is read and forgotten, so that the answer reaches the
 * client.
 */
export const readBody = async (request: IncomingMessage, limit = maximumBytes): Promise<Buffer> => {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  if (Number(request.headers["content-length"] ?? 0) > limit) {
    throw tooLarge(limit);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  request.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > limit) {
      chunks.length = 0;
      reject(tooLarge(limit));
    } else {
      chunks.push(chunk);
    }
  });
  request.once("end", () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
  request.once("error", reject);
  return await promise;
};

/** Media type without parameters. */
export const contentType = (request: IncomingMessage): string =>
  (request.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";

export const unsupportedMediaType = (supported: readonly string[]): StatusError =>
  new StatusError(
    415,
    "UnsupportedMediaType",
    `the body of the request was in an unknown format - accepted media types include: ${supported.join(", ")}`,
  );

/** Parses one YAML document; JSON is YAML too and takes the fast way. Throws a 400. */
export const parseYamlText = (text: string): DecodedBody => {
  if (text.trimStart().startsWith("{")) {
    try {
      return parseJsonText(text);
    } catch {
      // A flow mapping that is not JSON: YAML will tell.
    }
  }
  return parseJsonText(jsonText(yamlValue(text)) ?? "null");
};

/** JSON has no infinite numbers and would say null. */
const finite = (_key: unknown, value: unknown): unknown => {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new RangeError(`the number ${value} cannot be kept`);
  }
  return value;
};

const yamlValue = (text: string): unknown => {
  let documents: readonly Document.Parsed[];
  try {
    const parsed = parseAllDocuments(text, { intAsBigInt: true });
    documents = Array.isArray(parsed) ? parsed : [];
    if (documents.length === 1 && documents[0]?.errors.length === 0) {
      return documents[0].toJS({ maxAliasCount: 100, reviver: finite });
    }
  } catch (error) {
    throw badRequest(`the body is not valid YAML: ${(error as Error).message}`, error);
  }
  const error = documents.find(({ errors }) => errors.length > 0)?.errors[0];
  throw error === undefined
    ? badRequest("the body must be one YAML document")
    : badRequest(`the body is not valid YAML: ${error.message}`, error);
};
