import { kind, object, optional } from "@capstan/schema";
import { azureClusterTemplateSpec } from "./azure-cluster-template-spec.ts";
import { azureKind } from "./names.ts";

export const AzureClusterTemplate = kind({
  ...azureKind,
  kind: "AzureClusterTemplate",
  plural: "azureclustertemplates",
  description: "What the AzureClusters of a ClusterClass are made from.",
  spec: optional(object({ template: object({ spec: azureClusterTemplateSpec() }, { description: "The template." }) })),
});

/** One AzureClusterTemplate. */
export type AzureClusterTemplate = typeof AzureClusterTemplate.Type;
