import { createServer as createPlainServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Clock, Logger } from "@capstan/contract";
import type { Runnable } from "@capstan/runtime";
import { listenUntil } from "@capstan/runtime";
import type { ServingCertificate } from "@capstan/runtime/webhook";
import { answerOf, isInternal, refused, type Answer } from "./answer.ts";
import { placeOf, readJson, type ApiRequest, type Place } from "./request.ts";

/** Longest time for a request to arrive; real time, since it guards real sockets. */
const arrivalTimeoutMs = 30_000;
const maxConnections = 4096;
const certificatePollMs = 60_000;

/** Handlers of requests, by method and part of the path. */
export type Handlers = Readonly<Record<string, (request: ApiRequest, place: Place) => Promise<Answer>>>;

export interface ElementalApiOptions {
  readonly listen: { readonly host?: string; readonly port: number };
  /** Asked at the start and every minute. Without it the server speaks plain HTTP, for something before it that speaks TLS. */
  readonly certificate?: () => Promise<ServingCertificate>;
  /** By method and part: `PATCH host`. */
  readonly handlers: (signal: AbortSignal) => Handlers;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The HTTP server of the Elemental API. Every replica of a manager serves it. */
export class ElementalApi implements Runnable {
  readonly name = "elemental api";
  readonly #options: ElementalApiOptions;
  readonly #listening = Promise.withResolvers<void>();
  #port = 0;

  constructor(options: ElementalApiOptions) {
    this.#options = options;
    // Who does not wait for it must not be told that it failed.
    this.#listening.promise.catch(() => undefined);
  }

  /** Port of the running server; 0 before it runs. */
  get port(): number {
    return this.#port;
  }

  started(): Promise<void> {
    return this.#listening.promise;
  }

  async run({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    const { handlers, listen, log } = this.#options;
    const known = handlers(signal);
    try {
      const server = await this.#server(signal, (request, response) => void this.#serve(request, response, known));
      server.maxConnections = maxConnections;
      await listenUntil(server, listen, {
        signal,
        listening: (port) => {
          this.#port = port;
          this.#listening.resolve();
          log.info("the Elemental API listens", { port });
        },
      });
    } catch (error) {
      this.#listening.reject(error);
      throw error;
    }
  }

  async #server(
    signal: AbortSignal,
    serve: (request: IncomingMessage, response: ServerResponse) => void,
  ): Promise<Server> {
    const { certificate } = this.#options;
    const limits = { requestTimeout: arrivalTimeoutMs, headersTimeout: arrivalTimeoutMs };
    if (certificate === undefined) return createPlainServer(limits, serve);
    const first = await certificate();
    const server = createTlsServer({ ...limits, ...contextOf(first) }, serve);
    void this.#keepCertificate(first, certificate, { signal, use: (next) => server.setSecureContext(contextOf(next)) });
    return server;
  }

  async #keepCertificate(
    first: ServingCertificate,
    certificate: () => Promise<ServingCertificate>,
    { signal, use }: { readonly signal: AbortSignal; readonly use: (next: ServingCertificate) => void },
  ): Promise<void> {
    const { clock, log } = this.#options;
    let present = first;
    while (!signal.aborted) {
      try {
        await clock.sleep(certificatePollMs, { signal });
        const next = await certificate();
        if (next.certificate === present.certificate) continue;
        use(next);
        present = next;
      } catch (error) {
        if (!signal.aborted) log.error("the certificate of the Elemental API could not be read again", { error });
      }
    }
  }

  async #serve(message: IncomingMessage, response: ServerResponse, handlers: Handlers): Promise<void> {
    const answer = await this.#answer(message, handlers);
    // What was not read would be taken for the next request.
    if (!message.complete) response.setHeader("connection", "close");
    const { body, headers = {}, status } = answer;
    if (body instanceof Readable) {
      response.writeHead(status, headers);
      // A host that goes away in between asks again.
      await pipeline(body, response).catch(() => undefined);
      return;
    }
    response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store", ...headers });
    response.end(body === undefined ? "" : JSON.stringify(body));
  }

  async #answer(message: IncomingMessage, handlers: Handlers): Promise<Answer> {
    const { pathname, searchParams: query } = new URL(message.url ?? "/", "https://elemental");
    const method = message.method ?? "GET";
    try {
      const place = placeOf(pathname);
      if (place === undefined) throw refused(404, "there is nothing at this path");
      const handler = handlers[`${method} ${place.part}`.trimEnd()];
      if (handler === undefined) throw refused(405, `${method} is not served at this path`);
      return await handler({ method, query, headers: message.headers, json: () => readJson(message) }, place);
    } catch (error) {
      if (isInternal(error)) this.#options.log.error("a request to the Elemental API failed", { method, error });
      return answerOf(error);
    }
  }
}

const contextOf = ({ certificate, key }: ServingCertificate) => ({ cert: certificate, key: key.reveal() });
