import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import { CapstanError, type Clock, type Logger, Secret, silentLogger } from "@capstan/contract";
import type { MetricsRegistry, Runnable } from "../controller.ts";
import { type ListenAddress, listenUntil } from "../http-listener.ts";
import { type AdmissionReview, type Mutate, mutation, type Validate, validation } from "./admission.ts";
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
}

/** Admission and conversion webhooks over HTTPS. Declare the handlers, then add the server to a manager or run it. */
export interface WebhookServer extends Runnable {
  /** Of the server that runs; 0 before. */
  readonly port: number;
  validate(path: string, handler: Validate): void;
  mutate(path: string, handler: Mutate): void;
  convert(path: string, handler: Convert): void;
}

/** A body as it came, and what is answered to it. */
type Handler = (body: unknown) => Promise<object>;

const reloadMs = 60_000;
const maxBodyBytes = 16 * 2 ** 20;

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
    this.#handlers.set(path, async (body) => validation(admissionRequest(body), handler));
  }

  mutate(path: string, handler: Mutate): void {
    this.#handlers.set(path, async (body) => mutation(admissionRequest(body), handler));
  }

  convert(path: string, handler: Convert): void {
    this.#handlers.set(path, async (body) => conversion(conversionRequest(body), handler));
  }

  async run({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    const serving = await this.#options.certificate();
    const server = createServer(context(serving), (request, response) => void this.#serve(request, response));
    void this.#keepCertificate(server, serving, signal);
    await listenUntil(server, this.#options, {
      signal,
      listening: (port) => {
        this.#port = port;
        this.#log.info("the webhook server listens", { port });
      },
    });
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
        if (!signal.aborted)
          this.#log.error("the certificate of the webhook server could not be read again", { error });
      }
    }
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { clock } = this.#options;
    const startedAt = clock.now();
    const path = new URL(request.url ?? "/", "https://webhook").pathname;
    const handler = this.#handlers.get(path);
    const [code, body] = handler === undefined ? [404, "no such webhook"] : await this.#answer(path, handler, request);
    response.writeHead(code, { "content-type": typeof body === "string" ? "text/plain" : "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
    if (handler !== undefined) this.#observe(path, code, (clock.now() - startedAt) / 1000);
  }

  async #answer(path: string, handler: Handler, request: IncomingMessage): Promise<[number, object | string]> {
    try {
      return [200, await handler(await readJson(request))];
    } catch (error) {
      if (error instanceof CapstanError && error.code === "runtime.webhook_request") return [400, error.message];
      this.#log.error("a webhook failed", { path, error });
      return [500, "the webhook failed; its log says why"];
    }
  }
}

const context = ({ certificate, key }: ServingCertificate) => ({ cert: certificate, key: key.reveal() });

const badRequest = (message: string, cause?: unknown): CapstanError =>
  new CapstanError({ code: "runtime.webhook_request", reason: "BadRequest", message, retry: { kind: "never" }, cause });

const readJson = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes) throw badRequest(`the body is larger than ${maxBodyBytes} bytes`);
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
