export { auditLogFile } from "./audit/audit-log-file.ts";
export { auditLines } from "./audit/event-texts.ts";
export type { AuditLogFileOptions } from "./audit/audit-log-file.ts";
export type { AuditEvent, AuditLevel, AuditSink, AuditStage } from "./audit/audit-event.ts";
export { readAuditPolicy } from "./audit/audit-policy.ts";
export type { AuditPolicy, AuditRule } from "./audit/audit-policy.ts";
export type { AuditOptions } from "./audit/request-audit.ts";
export { apiServiceRegistration } from "./controllers/api-services.ts";
export { controllerNames, controllers, standardControllers } from "./controllers/controllers.ts";
export type { ControllerName } from "./controllers/controllers.ts";
export { customResources } from "./crd/custom-resources.ts";
export type { CustomResourcesOptions, LocalConverter } from "./crd/custom-resources.ts";
export { appliedManifests } from "./manifests/applied-manifests.ts";
export type { AppliedManifestsOptions, ManifestPass } from "./manifests/applied-manifests.ts";
export { inApplyOrder } from "./manifests/apply-order.ts";
export type { ManifestObject, Manifests, ManifestSource } from "./manifests/manifest-source.ts";
export { isStatusError, StatusError } from "./model/status-error.ts";
export type {
  AdmissionPlugin,
  AdmissionRequest,
  Extension,
  ExtensionGauge,
  ExtensionEnvironment,
  ExtensionFactory,
} from "./registry/extension.ts";
export type { Registry, ResourceDefinition, ResourceStore, Status, User } from "./model/types.ts";
export { createApiServer } from "./server.ts";
export { standardExtensions } from "./standard-extensions.ts";
export type { ApiServer, ApiServerOptions } from "./server-options.ts";
export { lockFolder } from "./storage/folder-lock.ts";
export { firstServiceAddress } from "./values/address-range.ts";
export { admissionPolicies } from "./webhooks/admission-policies.ts";
export { admissionWebhooks } from "./webhooks/admission-webhooks.ts";
export type { AdmissionWebhooksOptions } from "./webhooks/admission-webhooks.ts";
export type { ServiceResolver, WebhookService } from "./webhooks/webhook-endpoint.ts";
export type { ConnectPod, LogLine, ReadPodLog } from "./model/pod-access.ts";
