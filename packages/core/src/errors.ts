/** Codes of every error this package throws. */
export const CoreErrorCode = {
  autoscalerAnnotationInvalid: "core.autoscaler_annotation_invalid",
  caInvalid: "core.ca_invalid",
  clusterMissing: "core.cluster_missing",
  clusterObjectLost: "core.cluster_object_lost",
  defaultTemplatesInvalid: "core.default_templates_invalid",
  defaultTemplatesMissing: "core.default_templates_missing",
  drainRuleInvalid: "core.drain_rule_invalid",
  externalObjectTaken: "core.external_object_taken",
  infrastructureLost: "core.infrastructure_lost",
  nodeAmbiguous: "core.node_ambiguous",
  nodeLost: "core.node_lost",
} as const;
