import { kind, object, optional } from "@capstan/schema";
import { azureClusterSpec } from "./azure-cluster-spec.ts";
import { failureDomains } from "./cluster-fields.ts";
import { ageColumn, azureKind, clusterColumn } from "./names.ts";
import { commonStatus } from "./status-parts.ts";

export const AzureCluster = kind({
  ...azureKind,
  kind: "AzureCluster",
  plural: "azureclusters",
  description: "The infrastructure of a Cluster at Azure: its resource group, network and load balancers.",
  columns: [
    clusterColumn,
    { name: "Ready", path: ".status.conditions[?(@.type=='Ready')].status" },
    { name: "Reason", path: ".status.conditions[?(@.type=='Ready')].reason" },
    { name: "Message", path: ".status.conditions[?(@.type=='Ready')].message", priority: 1 },
    { name: "Resource Group", path: ".spec.resourceGroup", priority: 1 },
    { name: "SubscriptionID", path: ".spec.subscriptionID", priority: 1 },
    { name: "Location", path: ".spec.location", priority: 1 },
    { name: "Endpoint", path: ".spec.controlPlaneEndpoint.host", priority: 1 },
    ageColumn,
  ],
  spec: optional(azureClusterSpec()),
  status: object({
    ...commonStatus(),
    failureDomains: optional(failureDomains("Zones that machines can be placed in.")),
  }),
});

/** One AzureCluster. */
export type AzureCluster = typeof AzureCluster.Type;
