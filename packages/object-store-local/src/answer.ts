import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { LocalFolder } from "./local-folder.ts";
import type { ObjectFiles } from "./object-files.ts";
import { isSigned, readPath } from "./url-signature.ts";

const always = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

const words: Readonly<Record<number, string>> = {
  400: "malformed request",
  // One answer for all that is not signed, was signed for something else, or has expired.
  403: "forbidden",
  404: "not found",
  405: "method not allowed",
  412: "the object is there already",
  413: "too large",
};

/** Answers with an error. The rest of the request is read and dropped, so that the client gets the answer. */
const refuse = (request: IncomingMessage, response: ServerResponse, status: number): void => {
  request.resume();
  const body = `${words[status]}\n`;
  const headers = {
    ...always,
    connection: "close",
    "content-type": "text/plain",
    "content-length": Buffer.byteLength(body),
    ...(status === 405 && { allow: "GET, HEAD, PUT" }),
  };
  response.writeHead(status, headers).end(request.method === "HEAD" ? undefined : body);
};

const permissions: Readonly<Record<string, "get" | "put">> = { GET: "get", HEAD: "get", PUT: "put" };

/** Answers one request. Only who shows a signed URL learns whether something exists. */
export const answer = async (
  request: IncomingMessage,
  response: ServerResponse,
  folder: LocalFolder,
): Promise<void> => {
  const [path = "", query = "", ...rest] = (request.url ?? "").split("?");
  const target = rest.length > 0 ? undefined : readPath(path);
  const permits = permissions[request.method ?? ""];
  if (permits === undefined) return refuse(request, response, 405);
  if (target === undefined) return refuse(request, response, 400);
  const { bucket, key } = target;
  const against = { signingKey: await folder.signingKey(), now: folder.clock.now() };
  if (!isSigned({ permits, bucket, key }, new URLSearchParams(query), against)) return refuse(request, response, 403);
  const files = folder.bucket(bucket);
  if (permits === "get") await send(request, response, { files, key });
  else await take(request, response, { files, key, maxBytes: folder.maxObjectBytes });
};

const send = async (
  request: IncomingMessage,
  response: ServerResponse,
  { files, key }: { readonly files: ObjectFiles; readonly key: string },
): Promise<void> => {
  await using found = await files.find(key);
  if (found === undefined) return refuse(request, response, 404);
  const { contentType, etag, file, lastModified, size, start } = found;
  response.writeHead(200, {
    ...always,
    "content-type": contentType,
    "content-length": size,
    "last-modified": new Date(lastModified).toUTCString(),
    etag,
  });
  if (request.method === "HEAD") response.end();
  else await pipeline(file.createReadStream({ start, autoClose: false }), response);
};

/** Takes an object once: what is there is not overwritten. */
const take = async (
  request: IncomingMessage,
  response: ServerResponse,
  { files, key, maxBytes }: { readonly files: ObjectFiles; readonly key: string; readonly maxBytes: number },
): Promise<void> => {
  if (!(await files.exists())) return refuse(request, response, 404);
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return refuse(request, response, 413);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= maxBytes) chunks.push(chunk);
  }
  if (length > maxBytes) return refuse(request, response, 413);
  if (length === 0) return refuse(request, response, 400);
  const object = { key, bytes: Buffer.concat(chunks), contentType: "application/octet-stream", metadata: {} };
  try {
    const { etag } = await files.write(object, { once: true });
    response.writeHead(201, { ...always, etag, "content-length": 0 }).end();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    refuse(request, response, 412);
  }
};
