import { pipeline, Readable, Transform } from "node:stream";
import { isStatusOfAnybody } from "@capstan/kit/delivery";
import type { NodeHttpHandler } from "@smithy/node-http-handler";

/** The name of the error by which an answer that is not the store's own is known. */
export const foreignAnswer = "ForeignAnswer";

type Handled = Parameters<NodeHttpHandler["handle"]>[0];
type HttpAnswer = Awaited<ReturnType<NodeHttpHandler["handle"]>>["response"];

/** Stores that refuse with HTML, or with its type and nothing else, name the request or send no page. */
const isRefusal = ({ headers, statusCode }: HttpAnswer): boolean =>
  isStatusOfAnybody(statusCode) ||
  (statusCode >= 300 &&
    statusCode !== 404 &&
    (headers["x-amz-request-id"] !== undefined || headers["content-length"] === "0"));

/** Stores answer with XML, or with nothing; only an object that was stored as HTML comes as such, and that has an ETag. */
const isPage = (answer: HttpAnswer): boolean =>
  !isRefusal(answer) &&
  answer.headers["etag"] === undefined &&
  /^text\/html\b/i.test(answer.headers["content-type"] ?? "");

/** A store has nothing to say about what it has deleted, and of what it has stored it says the ETag. */
const isChatter = ({ method, query }: Handled, { headers, statusCode }: HttpAnswer): boolean => {
  const isOneObject = method === "PUT" || (method === "DELETE" && Object.keys(query).every((name) => name === "x-id"));
  return isOneObject && statusCode < 300 && headers["etag"] === undefined && headers["content-type"] !== undefined;
};

/** Whatever is read of an object takes less; what is not a store may answer without end. */
const maxObjectBytes = 32 * 1024 ** 2;

/** Keys of one page of a list. The SDK parses a page at once: some 20 ms for one with the longest keys that a store takes. */
export const keysOfPage = 50;
/** More than such a page, or an error, takes. */
const maxDocumentBytes = 128 * 1024;

const isObject = ({ method, query }: Handled, { statusCode }: HttpAnswer): boolean =>
  method === "GET" && query["x-id"] === "GetObject" && statusCode < 300;

/** The answer, which fails once it is longer than it may be. */
const limited = (request: Handled, response: HttpAnswer): HttpAnswer => {
  const { body } = response as { readonly body?: unknown };
  if (!(body instanceof Readable)) return response;
  const maxAnswerBytes = isObject(request, response) ? maxObjectBytes : maxDocumentBytes;
  let bytes = 0;
  const counted = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length;
      const tooLong = (): Error => Object.assign(new Error("the answer is too long"), { name: foreignAnswer });
      if (bytes > maxAnswerBytes) done(tooLong());
      else done(null, chunk);
    },
  });
  // What goes wrong with one of the two ends the other.
  pipeline(body, counted, () => undefined);
  response.body = counted;
  return response;
};

/**
 * Proxies and portals on the way answer in the store's place, some with status 200, as if the object had been stored or deleted, with 404,
 * as if it were gone, or with 403 or 407, as if the key lacked a permission. To the handler that is returned such an answer is a failure.
 */
export const withoutForeignAnswers = (handler: NodeHttpHandler): NodeHttpHandler => {
  const handle = handler.handle.bind(handler);
  handler.handle = async (request, options) => {
    const result = await handle(request, options);
    const { response } = result;
    if (!isPage(response) && !isChatter(request, response)) return { response: limited(request, response) };
    const { body, statusCode: httpStatusCode } = response;
    (body as { destroy?: () => void } | undefined)?.destroy?.();
    throw Object.assign(new Error("the response is not from the store"), {
      name: foreignAnswer,
      $metadata: { httpStatusCode },
    });
  };
  return handler;
};
