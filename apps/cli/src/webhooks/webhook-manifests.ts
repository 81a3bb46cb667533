import type { ProviderV1 } from "@capstan/contract/v1";
import { webhookConfigurations } from "@capstan/runtime/webhook";
import type { KubeObject } from "@capstan/schema";
import { configuredKinds } from "./served-kinds.ts";
import type { WebhookOptions } from "./webhook-options.ts";

/** The label by which a Service finds the Pods of managers: its own name. */
export const managerLabel = "app.kubernetes.io/name";

const serviceOf = ({ endpoint, port }: WebhookOptions): readonly KubeObject[] => {
  if ("url" in endpoint) return [];
  const { name, namespace } = endpoint.service;
  const spec = { selector: { [managerLabel]: name }, ports: [{ name: "webhook", port: 443, targetPort: port }] };
  return [{ apiVersion: "v1", kind: "Service", metadata: { name, namespace }, spec }];
};

/**
 * Returns the objects that make an API server call the webhooks of these providers: configurations and, inside the
 * cluster, a Service.
 */
export const webhookManifests = (
  providers: readonly ProviderV1[],
  options: WebhookOptions,
  { caBundle, name }: { readonly caBundle: string; readonly name: string },
): readonly KubeObject[] => [
  ...serviceOf(options),
  ...webhookConfigurations({
    name,
    endpoint: options.endpoint,
    caBundle,
    kinds: configuredKinds(providers),
  }),
];
