import type { Clock } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import {
  plannedSecretCertificate,
  secretCertificate,
  type NewSecretCertificate,
  type SecretCertificate,
  type StoredCertificate,
} from "@capstan/runtime/webhook";
import { installationLabel, webhookSecretName } from "../cluster/installation.ts";
import { hostOf, type WebhookOptions } from "./webhook-options.ts";

/** Where the certificate of an installation is kept. */
export interface CertificatePlace {
  readonly clock: Clock;
  readonly systemNamespace: string;
  readonly installation: string;
}

/** Names and addresses that the API server asks for. */
const hostsOf = ({ endpoint }: WebhookOptions): readonly string[] => {
  if ("url" in endpoint) return [hostOf(endpoint.url)];
  const { name, namespace } = endpoint.service;
  return [`${name}.${namespace}.svc`, `${name}.${namespace}.svc.cluster.local`];
};

const placed = (options: WebhookOptions, { clock, systemNamespace, installation }: CertificatePlace) => ({
  clock,
  secret: {
    namespace: systemNamespace,
    name: webhookSecretName(installation),
    labels: { [installationLabel]: installation },
  },
  hosts: hostsOf(options),
});

/**
 * Returns the certificate that managers will serve, for the caller to store: from the existing Secret, else under the
 * authority of another one.
 */
export const plannedCertificate = (
  options: WebhookOptions,
  place: CertificatePlace,
  known?: { readonly stored?: StoredCertificate | undefined; readonly adopted?: StoredCertificate | undefined },
): Promise<NewSecretCertificate> => plannedSecretCertificate(placed(options, place), known);

/** The certificate of the webhooks, made when it is missing, and renewed. */
export const webhookCertificate = (
  options: WebhookOptions,
  place: CertificatePlace & { readonly client: Client },
): (() => Promise<SecretCertificate>) => secretCertificate({ client: place.client, ...placed(options, place) });
