import type { Random } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import { Agent, request } from "undici";
import { randomUid } from "../registry/metadata.ts";
import type { Converter } from "./conversion.ts";
import { conversionFailed } from "./conversion.ts";
import type { WebhookClientConfig, WebhookService } from "./crd-types.ts";

/** Finds the URL of a Service, for example of one in this process; `undefined` if there is none. */
export type ServiceResolver = (service: WebhookService) => string | undefined;

const timeoutMs = 30_000;

const urlOf = ({ url, service }: WebhookClientConfig, resolve: ServiceResolver): string => {
  if (url !== undefined) return url;
  if (service === undefined) throw new Error("the webhook has neither a URL nor a service");
  const found = resolve(service);
  if (found === undefined) throw new Error(`service ${service.namespace}/${service.name} has no known address`);
  return new URL(service.path ?? "/", found).href;
};

interface ConversionResponse {
  readonly uid?: string;
  readonly result?: { readonly status?: string; readonly message?: string };
  readonly convertedObjects?: readonly KubeObject[];
}

const post = async (url: string, agent: Agent, body: unknown): Promise<unknown> => {
  const response = await request(url, {
    method: "POST",
    dispatcher: agent,
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.body.text();
  if (response.statusCode !== 200) throw new Error(`the webhook answered ${response.statusCode}`);
  return JSON.parse(text);
};

/** The converted objects of an answer. */
const convertedOf = (answer: unknown, uid: string): readonly KubeObject[] => {
  const response = (answer as { readonly response?: ConversionResponse } | null)?.response;
  if (response === undefined) throw new Error("the answer has no response");
  if (response.uid !== uid) throw new Error("the answer has another uid than the request");
  if (response.result?.status !== "Success") throw new Error(response.result?.message ?? "no reason given");
  return response.convertedObjects ?? [];
};

/** A converter with connections of its own. */
export interface WebhookConverter {
  readonly convert: Converter;
  close(): Promise<void>;
}

/** Converts by POSTing ConversionReviews (apiextensions.k8s.io/v1). Failures are answered with 500. */
export const webhookConverter = (
  config: WebhookClientConfig,
  options: { readonly random: Random; readonly resolveService: ServiceResolver },
): WebhookConverter => {
  const ca = config.caBundle === undefined ? undefined : Buffer.from(config.caBundle, "base64").toString("utf8");
  const agent = new Agent({
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: timeoutMs, ...(ca === undefined ? {} : { ca }) },
  });
  const convert: Converter = async (objects, desiredAPIVersion) => {
    const uid = randomUid((length) => options.random.bytes(length));
    const review = {
      kind: "ConversionReview",
      apiVersion: "apiextensions.k8s.io/v1",
      request: { uid, desiredAPIVersion, objects },
    };
    try {
      return convertedOf(await post(urlOf(config, options.resolveService), agent, review), uid);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw conversionFailed(objects[0]?.kind ?? "objects", desiredAPIVersion, why, error);
    }
  };
  return { convert, close: () => agent.close() };
};
