import type { Random } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import { randomUid } from "../registry/metadata.ts";
import type { Converter } from "./conversion.ts";
import { conversionFailed } from "./conversion.ts";
import type { ServiceResolver, WebhookClientConfig } from "../webhooks/webhook-endpoint.ts";
import { webhookEndpoint } from "../webhooks/webhook-endpoint.ts";

interface ConversionResponse {
  readonly uid?: string;
  readonly result?: { readonly status?: string; readonly message?: string };
  readonly convertedObjects?: readonly KubeObject[];
}

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
  const endpoint = webhookEndpoint(config, options.resolveService);
  const convert: Converter = async (objects, desiredAPIVersion) => {
    const uid = randomUid((length) => options.random.bytes(length));
    const review = {
      kind: "ConversionReview",
      apiVersion: "apiextensions.k8s.io/v1",
      request: { uid, desiredAPIVersion, objects },
    };
    try {
      return convertedOf(await endpoint.post(review), uid);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw conversionFailed(objects[0]?.kind ?? "objects", desiredAPIVersion, why, error);
    }
  };
  return { convert, close: () => endpoint.close() };
};
