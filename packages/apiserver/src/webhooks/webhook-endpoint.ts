import { fromBase64 } from "@capstan/kube-values";
import { jsonText, parseJson } from "@capstan/schema/structural";
import type { Agent } from "undici";

/** Where a webhook listens: a URL or a Service. `caBundle` is PEM in base64. */
export interface WebhookClientConfig {
  readonly url?: string;
  readonly service?: WebhookService;
  readonly caBundle?: string;
}

export interface WebhookService {
  readonly namespace: string;
  readonly name: string;
  readonly path?: string;
  readonly port?: number;
}

/**
 * Finds the URL of a Service, for example of one in this process; `undefined` if there is none. Whatever the URL, the certificate must be
 * for `<name>.<namespace>.svc`, as in a cluster.
 */
export type ServiceResolver = (service: WebhookService) => string | undefined;

/** One webhook, with connections of its own. */
export interface WebhookEndpoint {
  /** The JSON answer. Throws unless it is one, with status 200. */
  post(body: unknown, options?: { readonly query?: string; readonly signal?: AbortSignal }): Promise<unknown>;
  /** Resolves when running calls are done. */
  close(): Promise<void>;
  /** Running calls fail. */
  destroy(): Promise<void>;
}

/** The longest that any webhook may take. */
const timeoutMs = 30_000;

/** Loaded with the first call: it takes a tenth of the server's start, and many servers never call a webhook. */
const undici = () => import("undici");

const urlOf = ({ url, service }: WebhookClientConfig, resolve: ServiceResolver): string => {
  if (url !== undefined) return url;
  if (service === undefined) throw new Error("the webhook has neither a URL nor a service");
  const found = resolve(service);
  if (found === undefined) throw new Error(`service ${service.namespace}/${service.name} has no known address`);
  return new URL(service.path ?? "/", found).href;
};

const servername = ({ service, url }: WebhookClientConfig): { readonly servername?: string } =>
  service === undefined || url !== undefined ? {} : { servername: `${service.name}.${service.namespace}.svc` };

/** Returns whether a connection ended before an answer came: as one does that the webhook closes while it is taken to be open. */
const isCut = (error: unknown): boolean =>
  error instanceof Error && "code" in error && ["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"].includes(String(error.code));

/** Connections to the webhook at `config`; without `caBundle` the authorities of the system are trusted. */
export const webhookEndpoint = (config: WebhookClientConfig, resolve: ServiceResolver): WebhookEndpoint => {
  const ca = config.caBundle === undefined ? undefined : fromBase64(config.caBundle);
  let opened: Promise<Agent> | undefined;
  const open = async (): Promise<Agent> => {
    const { Agent } = await undici();
    return new Agent({
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      connect: { timeout: timeoutMs, ...servername(config), ...(ca === undefined ? {} : { ca }) },
    });
  };
  return {
    post: async (body, { query = "", signal } = {}) => {
      opened ??= open();
      const [{ request }, dispatcher] = [await undici(), await opened];
      const options = {
        method: "POST",
        dispatcher,
        headers: { "content-type": "application/json", accept: "application/json" },
        body: jsonText(body),
        ...(signal === undefined ? {} : { signal }),
      } as const;
      const send = () => request(`${urlOf(config, resolve)}${query}`, options);
      // Webhooks may be asked the same twice: API servers say so, and do.
      const response = await send().catch((error: unknown) => {
        if (isCut(error)) return send();
        throw error;
      });
      const text = await response.body.text();
      if (response.statusCode !== 200) throw new Error(`the webhook answered ${response.statusCode}`);
      return parseJson(text);
    },
    close: async () => await (await opened)?.close(),
    destroy: async () => await (await opened)?.destroy(),
  };
};
