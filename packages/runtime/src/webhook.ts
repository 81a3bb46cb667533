export type {
  AdmissionCause,
  AdmissionRequest,
  Mutate,
  MutateOutcome,
  Validate,
  Verdict,
  WebhookCall,
} from "./webhook/admission.ts";
export type { Convert } from "./webhook/conversion.ts";
export { kindWebhooks, routeKinds, WebhookPath } from "./webhook/kind-webhooks.ts";
export type { KindWebhooks, Scale } from "./webhook/kind-webhooks.ts";
export { plannedSecretCertificate, rotatedSecretCertificate, secretCertificate } from "./webhook/secret-certificate.ts";
export type {
  NewSecretCertificate,
  SecretCertificate,
  SecretCertificateOptions,
  StoredCertificate,
} from "./webhook/secret-certificate.ts";
export { webhookClientConfig, webhookConfigurations } from "./webhook/webhook-configuration.ts";
export type {
  WebhookClientConfig,
  WebhookConfigurationOptions,
  WebhookEndpoint,
} from "./webhook/webhook-configuration.ts";
export { certificateFiles, createWebhookServer } from "./webhook/webhook-server.ts";
export type { ServingCertificate, WebhookServer, WebhookServerOptions } from "./webhook/webhook-server.ts";
