import type { IncomingMessage } from "node:http";
import { isCapstanError } from "@capstan/contract";
import { readLongYaml } from "@capstan/evaluation/yaml";
import { type YamlDocument, YamlError } from "@capstan/kube-values/yaml";
import { checkValues, type DecodedBody, readJsonText } from "../decode/json-text.ts";
import { badRequest, isStatusError, requestTooLarge, StatusError, tooManyRequests } from "../model/status-error.ts";

const maximumBytes = 3_145_728;

const tooLarge = (limit: number): StatusError => requestTooLarge(`limit is ${limit}`);

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

/** Parses one YAML document; JSON is YAML too and takes the fast way. `flow`: for whom. Throws a 400, 413 or 429. */
export const parseYamlText = async (text: string, flow: string): Promise<DecodedBody> => {
  if (text.trimStart().startsWith("{")) {
    try {
      const { decimals: _, ...body } = await readJsonText(text);
      return body;
    } catch (error) {
      if (isStatusError(error) && error.status.code === 413) {
        throw error;
      }
      // A flow mapping that is not JSON: YAML will tell.
    }
  }
  const documents = await yamlDocuments(text, flow);
  if (documents.length !== 1) {
    throw badRequest("the body must be one YAML document");
  }
  const value = documents[0]?.value;
  checkValues(value);
  return { value, duplicates: [] };
};

/** Lines and separators of the largest body; JSON may have more. */
const maximumMarks = 80_000;

const yamlDocuments = async (text: string, flow: string): Promise<readonly YamlDocument[]> => {
  try {
    return await readLongYaml(text, { marks: maximumMarks, flow });
  } catch (error) {
    if (isCapstanError(error, "evaluation.too_many")) {
      throw tooManyRequests(error.message, 1);
    }
    if (isCapstanError(error)) {
      throw badRequest(`the body is not read: ${error.message}`, error);
    }
    if (!(error instanceof YamlError)) {
      throw error;
    }
    const place = error.line === undefined ? "" : ` (line ${error.line})`;
    throw badRequest(`the body is not valid YAML: ${error.message}${place}`, error);
  }
};
