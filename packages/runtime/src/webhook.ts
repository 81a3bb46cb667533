export type {
  AdmissionCause,
  AdmissionRequest,
  Mutate,
  MutateOutcome,
  Validate,
  Verdict,
} from "./webhook/admission.ts";
export type { Convert } from "./webhook/conversion.ts";
export { certificateFiles, createWebhookServer } from "./webhook/webhook-server.ts";
export type { ServingCertificate, WebhookServer, WebhookServerOptions } from "./webhook/webhook-server.ts";
