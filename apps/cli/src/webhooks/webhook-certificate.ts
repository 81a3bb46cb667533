import type { Clock } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import {
  newSecretCertificate,
  secretCertificate,
  type NewSecretCertificate,
  type SecretCertificate,
} from "@capstan/runtime/webhook";
import { hostOf, webhookSecretName, type WebhookOptions } from "./webhook-options.ts";

/** Names and addresses that the API server asks for. */
const hostsOf = ({ endpoint }: WebhookOptions): readonly string[] => {
  if ("url" in endpoint) return [hostOf(endpoint.url)];
  const { name, namespace } = endpoint.service;
  return [`${name}.${namespace}.svc`, `${name}.${namespace}.svc.cluster.local`];
};

/** A certificate for manifests that are printed: nobody can ask the cluster whether it has one. */
export const printedCertificate = (
  options: WebhookOptions,
  { clock, systemNamespace, lease }: Omit<Parameters<typeof webhookCertificate>[1], "client">,
): Promise<NewSecretCertificate> =>
  newSecretCertificate({
    clock,
    secret: { namespace: systemNamespace, name: webhookSecretName(lease) },
    hosts: hostsOf(options),
  });

/** The certificate of the webhooks, made when it is missing, and renewed. */
export const webhookCertificate = (
  options: WebhookOptions,
  place: { readonly client: Client; readonly clock: Clock; readonly systemNamespace: string; readonly lease: string },
): (() => Promise<SecretCertificate>) =>
  secretCertificate({
    client: place.client,
    clock: place.clock,
    secret: { namespace: place.systemNamespace, name: webhookSecretName(place.lease) },
    hosts: hostsOf(options),
  });
