import { kind, object, optional } from "@capstan/schema";
import { azureMachineSpec } from "./azure-machine-spec.ts";
import { ageColumn, azureKind, clusterColumn } from "./names.ts";
import { word } from "./network-parts.ts";
import { addresses, commonStatus } from "./status-parts.ts";

export const AzureMachine = kind({
  ...azureKind,
  kind: "AzureMachine",
  plural: "azuremachines",
  description: "A virtual machine at Azure that backs one Machine.",
  columns: [
    { ...clusterColumn, priority: 1 },
    { name: "Ready", path: ".status.conditions[?(@.type=='Ready')].status" },
    { name: "Severity", path: ".status.conditions[?(@.type=='Ready')].severity" },
    { name: "Reason", path: ".status.conditions[?(@.type=='Ready')].reason" },
    { name: "Message", path: ".status.conditions[?(@.type=='Ready')].message", priority: 1 },
    { name: "State", path: ".status.vmState" },
    { name: "Machine", path: '.metadata.ownerReferences[?(@.kind=="Machine")].name', priority: 1 },
    { name: "VM ID", path: ".spec.providerID", priority: 1 },
    { name: "VM Size", path: ".spec.vmSize", priority: 1 },
    ageColumn,
  ],
  spec: optional(azureMachineSpec()),
  status: object({
    ...commonStatus(),
    addresses: optional(addresses()),
    failureDomain: optional(word("Zone that the machine is in.")),
    vmState: optional(word("provisioningState that Azure reports, or Deleted.")),
    failureReason: optional(word("Terminal failure in one word, for programs.")),
    failureMessage: optional(word("Terminal failure, for people.")),
  }),
});

/** One AzureMachine. */
export type AzureMachine = typeof AzureMachine.Type;
