import type { Readable } from "node:stream";
import { getCACertificates } from "node:tls";
import { Agent, request } from "undici";
import { elementalError } from "../errors.ts";

/** Longest time to connect, and between two parts of an answer. */
const quietTimeoutMs = 30_000;

export interface HttpRequest {
  readonly method?: "DELETE" | "GET" | "HEAD" | "PATCH" | "POST" | "PUT";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A stream is sent as it comes; its length is in the header `content-length`. */
  readonly body?: Readable | Uint8Array | string;
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  header(name: string): string | undefined;
  /** The bytes as they come; to be read to their end, or discarded. */
  readonly body: AsyncIterable<Uint8Array>;
  /** The whole body. Throws `elemental.answer_too_large`. */
  bytes(maxBytes: number): Promise<Uint8Array>;
  discard(): Promise<void>;
}

/** Requests over connections of one's own. */
export interface Requests {
  /** Throws `elemental.unreachable` when no answer comes. */
  send(request: HttpRequest): Promise<HttpAnswer>;
  close(): Promise<void>;
}

export interface RequestsOptions {
  /** PEM of authorities to trust. */
  readonly authority?: string | undefined;
  /** True if the public authorities, and those of the system, are trusted too. Default: when there is no `authority`. */
  readonly trustsPublic?: boolean;
  /** True if every certificate is trusted. Default false. */
  readonly trustsAll?: boolean;
}

/** The authorities of Node and of this system, and those of NODE_EXTRA_CA_CERTS. They are read at the first use. */
const publicAuthorities = (): readonly string[] => [
  ...new Set([...getCACertificates("default"), ...getCACertificates("system"), ...getCACertificates("extra")]),
];

const tlsOf = ({ authority, trustsAll = false, trustsPublic = authority === undefined }: RequestsOptions) => ({
  ca: [...(trustsPublic ? publicAuthorities() : []), ...(authority === undefined ? [] : [authority])],
  rejectUnauthorized: !trustsAll,
});

export const httpRequests = (options: RequestsOptions = {}): Requests => {
  const dispatcher = new Agent({
    connect: { ...tlsOf(options), timeout: quietTimeoutMs },
    headersTimeout: quietTimeoutMs,
    bodyTimeout: quietTimeoutMs,
  });
  return {
    send: async ({ body, headers = {}, method = "GET", signal, url }) => {
      try {
        const answer = await request(url, { method, headers, signal, dispatcher, body: body ?? null });
        return answerOf(url, answer);
      } catch (error) {
        signal.throwIfAborted();
        throw unreachable(url, error);
      }
    },
    close: () => dispatcher.close(),
  };
};

const answerOf = (url: string, { body, headers, statusCode }: Awaited<ReturnType<typeof request>>): HttpAnswer => ({
  status: statusCode,
  header: (name) => {
    const value = headers[name.toLowerCase()];
    return typeof value === "string" ? value : value?.[0];
  },
  body,
  bytes: async (maxBytes) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge(url, maxBytes);
      chunks.push(chunk);
    }
    return new Uint8Array(Buffer.concat(chunks));
  },
  discard: async () => {
    await body.dump();
  },
});

/** The place that a URL names, without what may be signed in it. */
const placeOfUrl = (url: string): string => {
  const { host, pathname, protocol } = new URL(url);
  return `${protocol}//${host}${pathname}`;
};

const causeOf = (error: unknown): string => {
  const { cause, code, message } = error as { cause?: unknown; code?: unknown; message?: unknown };
  if (cause !== undefined) return causeOf(cause);
  return typeof code === "string" && !String(message).includes(code) ? `${code}: ${String(message)}` : String(message);
};

const unreachable = (url: string, cause: unknown): Error =>
  elementalError({
    code: "elemental.unreachable",
    reason: "Unreachable",
    message: `${placeOfUrl(url)} does not answer: ${causeOf(cause)}`,
    retry: { kind: "backoff" },
    cause,
  });

const tooLarge = (url: string, maxBytes: number): Error =>
  elementalError({
    code: "elemental.answer_too_large",
    reason: "AnswerTooLarge",
    message: `${placeOfUrl(url)} answers with more than ${maxBytes} bytes`,
  });
