import type { NodeHttpHandler } from "@smithy/node-http-handler";

/** The name of the error by which a page in place of a store's answer is known. */
export const webPage = "WebPage";

type HttpAnswer = Awaited<ReturnType<NodeHttpHandler["handle"]>>["response"];

/** Stores answer with XML, or with nothing; only an object that was stored as HTML comes as such, and that has an ETag. */
const isPage = ({ headers, statusCode }: HttpAnswer): boolean =>
  (statusCode < 300 || statusCode === 404) &&
  headers["etag"] === undefined &&
  /^text\/html\b/i.test(headers["content-type"] ?? "");

/**
 * Proxies and portals on the way answer with a page of their own, some with status 200, as if the object had been stored, or with 404, as
 * if it were gone. To the handler that is returned such an answer is a failure.
 */
export const withoutPages = (handler: NodeHttpHandler): NodeHttpHandler => {
  const handle = handler.handle.bind(handler);
  handler.handle = async (request, options) => {
    const result = await handle(request, options);
    if (!isPage(result.response)) return result;
    const { body, statusCode: httpStatusCode } = result.response;
    (body as { destroy?: () => void } | undefined)?.destroy?.();
    throw Object.assign(new Error("the answer is a web page"), { name: webPage, $metadata: { httpStatusCode } });
  };
  return handler;
};
