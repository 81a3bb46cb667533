import { jsonText, parseJson } from "@capstan/schema/structural";
import { Agent, request } from "undici";

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

/** Finds the URL of a Service, for example of one in this process; `undefined` if there is none. */
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

const urlOf = ({ url, service }: WebhookClientConfig, resolve: ServiceResolver): string => {
  if (url !== undefined) return url;
  if (service === undefined) throw new Error("the webhook has neither a URL nor a service");
  const found = resolve(service);
  if (found === undefined) throw new Error(`service ${service.namespace}/${service.name} has no known address`);
  return new URL(service.path ?? "/", found).href;
};

/** Connections to the webhook at `config`; without `caBundle` the authorities of the system are trusted. */
export const webhookEndpoint = (config: WebhookClientConfig, resolve: ServiceResolver): WebhookEndpoint => {
  const ca = config.caBundle === undefined ? undefined : Buffer.from(config.caBundle, "base64").toString("utf8");
  const agent = new Agent({
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: timeoutMs, ...(ca === undefined ? {} : { ca }) },
  });
  return {
    post: async (body, { query = "", signal } = {}) => {
      const response = await request(`${urlOf(config, resolve)}${query}`, {
        method: "POST",
        dispatcher: agent,
        headers: { "content-type": "application/json", accept: "application/json" },
        body: jsonText(body),
        ...(signal === undefined ? {} : { signal }),
      });
      const text = await response.body.text();
      if (response.statusCode !== 200) throw new Error(`the webhook answered ${response.statusCode}`);
      return parseJson(text);
    },
    close: () => agent.close(),
    destroy: () => agent.destroy(),
  };
};
