import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import { CapstanError, type Clock, isCapstanError, type Logger, Secret, silentLogger } from "@capstan/contract";
import { parseDurationMs } from "@capstan/kube-values";
import type { MetricsRegistry, Runnable } from "../controller.ts";
import { type ListenAddress, listenUntil } from "../http-listener.ts";
import {
  type AdmissionReview,
  type Mutate,
  mutation,
  type Validate,
  validation,
  type WebhookCall,
} from "./admission.ts";
import { type ConversionRequest, type Convert, conversion } from "./conversion.ts";

export interface ServingCertificate {
  /** PEM, with the chain. */
  readonly certificate: string;
  /** PEM. */
  readonly key: Secret<string>;
}

export interface WebhookServerOptions extends ListenAddress {
  /** Asked at the start and then every minute, so that a renewed certificate is served without a restart. */
  readonly certificate: () => Promise<ServingCertificate>;
  readonly clock: Clock;
  readonly metrics: MetricsRegistry;
  readonly log?: Logger;
  /** Longest time for one answer, unless the API server says that it waits for less. Default 10 000. */
  readonly timeoutMs?: number;
  /** Largest review. Default 16 MiB: a conversion carries a whole page of objects. */
  readonly maxBodyBytes?: number;
}

/** Admission and conversion webhooks over HTTPS. Declare the handlers, then add the server to a manager or run it. */
export interface WebhookServer extends Runnable {
  /** Port of the running server; 0 before. */
  readonly port: number;
  validate(path: string, handler: Validate): void;
  mutate(path: string, handler: Mutate): void;
  convert(path: string, handler: Convert): void;
}

/** A body as it came, and what is answered to it. */
type Handler = (body: unknown, call: WebhookCall) => Promise<object>;

const reloadMs = 60_000;
const defaultMaxBodyBytes = 16 * 2 ** 20;
const defaultTimeoutMs = 10_000;
/** Longer than API servers keep a connection that they do not use: none of them sends into one that is being closed here. */
const idleMs = 180_000;

/** Longest time for a request to arrive; real time, since it guards real sockets. */
const arrivalTimeoutMs = 30_000;

/** A serving certificate in two PEM files, as cert-manager mounts them. */
export const certificateFiles =
  (files: { readonly certificate: string; readonly key: string }): (() => Promise<ServingCertificate>) =>
  async () => ({
    certificate: await readFile(files.certificate, "utf8"),
    key: new Secret(await readFile(files.key, "utf8")),
  });

class HttpsWebhookServer implements WebhookServer {
  readonly name = "webhook server";
  readonly #options: WebhookServerOptions;
  readonly #log: Logger;
  readonly #handlers = new Map<string, Handler>();
  readonly #observe: (path: string, code: number, seconds: number) => void;
  readonly #listening = Promise.withResolvers<void>();
  #port = 0;

  constructor(options: WebhookServerOptions) {
    this.#options = options;
    this.#log = options.log ?? silentLogger;
    this.#observe = webhookMetrics(options.metrics);
  }

  get port(): number {
    return this.#port;
  }

  validate(path: string, handler: Validate): void {
    this.#handlers.set(path, async (body, call) => validation(admissionRequest(body), handler, call));
  }

  mutate(path: string, handler: Mutate): void {
    this.#handlers.set(path, async (body, call) => mutation(admissionRequest(body), handler, call));
  }

  convert(path: string, handler: Convert): void {
    this.#handlers.set(path, async (body) => conversion(conversionRequest(body), handler));
  }

  async run({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    const serving = await this.#options.certificate();
    const options = { ...context(serving), requestTimeout: arrivalTimeoutMs, keepAliveTimeout: idleMs };
    const server = createServer(options, (request, response) => void this.#serve(request, response));
    void this.#keepCertificate(server, serving, signal);
    await listenUntil(server, this.#options, {
      signal,
      listening: (port) => {
        this.#port = port;
        this.#listening.resolve();
        this.#log.info("the webhook server listens", { port });
      },
    });
  }

  started(): Promise<void> {
    return this.#listening.promise;
  }

  async #keepCertificate(server: Server, first: ServingCertificate, signal: AbortSignal): Promise<void> {
    let present = first;
    while (!signal.aborted) {
      try {
        await this.#options.clock.sleep(reloadMs, { signal });
        const next = await this.#options.certificate();
        if (next.certificate === present.certificate && next.key.reveal() === present.key.reveal()) continue;
        server.setSecureContext(context(next));
        present = next;
        this.#log.info("the webhook server serves a new certificate");
      } catch (error) {
        if (!signal.aborted) {
          this.#log.error("the certificate of the webhook server could not be read again", { error });
        }
      }
    }
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { clock } = this.#options;
    const startedAt = clock.now();
    const { pathname: path, searchParams } = new URL(request.url ?? "/", "https://webhook");
    const handler = this.#handlers.get(path);
    const timeoutMs = timeoutOf(searchParams.get("timeout"), this.#options.timeoutMs ?? defaultTimeoutMs);
    const [code, body] =
      handler === undefined ? [404, "no such webhook"] : await this.#answer(path, handler, request, timeoutMs);
    // What was not read would be taken for the next request.
    if (!request.complete) response.setHeader("connection", "close");
    response.writeHead(code, { "content-type": typeof body === "string" ? "text/plain" : "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
    if (handler !== undefined) this.#observe(path, code, (clock.now() - startedAt) / 1000);
  }

  async #answer(
    path: string,
    handler: Handler,
    request: IncomingMessage,
    timeoutMs: number,
  ): Promise<[number, object | string]> {
    const late = new AbortController();
    const expired = Promise.withResolvers<never>();
    const cancel = this.#options.clock.schedule(timeoutMs, () => {
      const error = tooLate(path, timeoutMs);
      late.abort(error);
      expired.reject(error);
    });
    try {
      const body = await readJson(request, this.#options.maxBodyBytes ?? defaultMaxBodyBytes);
      return [200, await Promise.race([handler(body, { signal: late.signal }), expired.promise])];
    } catch (error) {
      if (isCapstanError(error, "runtime.webhook_request")) {
        return [typeof error.details["status"] === "number" ? error.details["status"] : 400, error.message];
      }
      this.#log.error("a webhook failed", { path, error });
      return isCapstanError(error, "runtime.webhook_timeout")
        ? [504, error.message]
        : [500, "the webhook failed; its log says why"];
    } finally {
      cancel();
    }
  }
}

const context = ({ certificate, key }: ServingCertificate) => ({ cert: certificate, key: key.reveal() });

const badRequest = (message: string, cause?: unknown, status = 400): CapstanError =>
  new CapstanError({
    code: "runtime.webhook_request",
    reason: "BadRequest",
    message,
    retry: { kind: "never" },
    details: { status },
    cause,
  });

const tooLate = (path: string, timeoutMs: number): CapstanError =>
  new CapstanError({
    code: "runtime.webhook_timeout",
    reason: "WebhookTimeout",
    message: `webhook ${path}: no answer was found within ${timeoutMs} ms`,
  });

/** The API server says how long it waits, in seconds such as `10s`; a little less leaves time for the answer to travel. */
const timeoutOf = (said: string | null, limitMs: number): number => {
  const saidMs = parseDurationMs(said ?? "");
  return saidMs === undefined ? limitMs : Math.min(limitMs, saidMs * 0.95);
};

const readJson = async (request: IncomingMessage, maxBodyBytes: number): Promise<unknown> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes) throw badRequest(`the body is larger than ${maxBodyBytes} bytes`, undefined, 413);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch (cause) {
    throw badRequest("the body is not JSON", cause);
  }
};

const admissionRequest = (body: unknown): NonNullable<AdmissionReview["request"]> => {
  const { apiVersion, request } = (body ?? {}) as AdmissionReview;
  if (apiVersion !== "admission.k8s.io/v1" || typeof request?.uid !== "string") {
    throw badRequest("the body is not an AdmissionReview of admission.k8s.io/v1");
  }
  return request;
};

const conversionRequest = (body: unknown): ConversionRequest => {
  const { apiVersion, request } = (body ?? {}) as { apiVersion?: string; request?: Partial<ConversionRequest> };
  const { uid, desiredAPIVersion, objects } = request ?? {};
  if (apiVersion !== "apiextensions.k8s.io/v1" || uid === undefined || desiredAPIVersion === undefined) {
    throw badRequest("the body is not a ConversionReview of apiextensions.k8s.io/v1");
  }
  return { uid, desiredAPIVersion, objects: objects ?? [] };
};

const webhookMetrics = (metrics: MetricsRegistry): ((path: string, code: number, seconds: number) => void) => {
  const total = metrics.counter("controller_runtime_webhook_requests_total", "Admission and conversion requests.", [
    "webhook",
    "code",
  ]);
  const latency = metrics.histogram("controller_runtime_webhook_latency_seconds", "Time to answer.", {
    labels: ["webhook"],
  });
  return (webhook, code, seconds) => {
    total.inc({ webhook, code: String(code) });
    latency.observe(seconds, { webhook });
  };
};

export const createWebhookServer = (options: WebhookServerOptions): WebhookServer => new HttpsWebhookServer(options);
