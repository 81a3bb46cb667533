import type { ProxyFor } from "@capstan/contract";
import { Agent, ProxyAgent, request, type Dispatcher } from "undici";
import { whyNotFetched } from "./why-not-fetched.ts";

const maxRedirects = 5;
const maxBytes = 10 * 1024 * 1024;
const timeoutMs = 30_000;

const textOf = async (body: Dispatcher.ResponseData["body"]): Promise<string> => {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBytes) throw new Error(`is larger than ${maxBytes / 1024 / 1024} MiB`);
    parts.push(part);
  }
  const text = Buffer.concat(parts).toString("utf8");
  // What asks for a login, or shows the file in a frame of its own, answers 200 as well.
  if (/^\s*<(?:!doctype html|html)\b/i.test(text)) {
    throw new Error("the server returned a web page instead of a file");
  }
  return text;
};

/** Where an answer leads on to; from TLS never to plain text. */
const nextOf = (url: string, location: string): string => {
  const next = new URL(location, url);
  if (next.protocol === "https:" || (next.protocol === "http:" && url.startsWith("http:"))) return next.href;
  throw new Error(`redirects to ${next.protocol}//${next.host}, which is not followed from ${new URL(url).protocol}//`);
};

/** Fetches a text from a URL, over a few redirections, with limits of time and size. Throws an `Error` that says why it cannot. */
export const fetchText = async (
  url: string,
  { proxyFor, signal }: { readonly proxyFor?: ProxyFor | undefined; readonly signal?: AbortSignal } = {},
): Promise<string> => {
  let at = url;
  for (let left = maxRedirects; ; left -= 1) {
    const uri = proxyFor?.(at);
    const dispatcher = uri === undefined ? new Agent() : new ProxyAgent({ uri });
    try {
      const timeout = AbortSignal.timeout(timeoutMs);
      const answer = await request(at, {
        dispatcher,
        signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
      });
      const { location } = answer.headers;
      if (answer.statusCode >= 300 && answer.statusCode < 400 && typeof location === "string") {
        if (left === 0) throw new Error(`more than ${maxRedirects} redirects`);
        at = nextOf(at, location);
        continue;
      }
      if (answer.statusCode !== 200) throw new Error(`the server answered ${answer.statusCode}`);
      return await textOf(answer.body);
    } catch (error) {
      signal?.throwIfAborted();
      throw new Error(whyNotFetched(error, at, timeoutMs), { cause: error });
    } finally {
      await dispatcher.destroy();
    }
  }
};
