import { boolean, kind, object, objectReference, optional } from "@capstan/schema";
import { ageColumn, azureKind, clusterColumn } from "./names.ts";
import { word } from "./network-parts.ts";
import { addresses, commonStatus } from "./status-parts.ts";

export const AzureMachinePoolMachine = kind({
  ...azureKind,
  kind: "AzureMachinePoolMachine",
  plural: "azuremachinepoolmachines",
  shortNames: ["ampm"],
  description: "One machine of a scale set at Azure, which backs one Machine of a MachinePool.",
  columns: [
    { name: "Version", path: ".status.version" },
    { name: "Ready", path: ".status.ready" },
    { name: "State", path: ".status.provisioningState" },
    { ...clusterColumn, priority: 1 },
    { name: "VMSS VM ID", path: ".spec.providerID", priority: 1 },
    ageColumn,
  ],
  spec: optional(
    object({
      providerID: word("azure:// and the resource ID; set by the controller."),
      instanceID: optional(word("Its number in the scale set.")),
    }),
  ),
  status: object({
    ...commonStatus(),
    nodeRef: optional(objectReference({ description: "Written by upstream's controller; the Machine has it." })),
    addresses: optional(addresses()),
    failureDomain: optional(word("Zone that the machine is in.")),
    version: optional(word("Kubernetes version that it was made for.")),
    provisioningState: optional(word("What Azure says of it.")),
    instanceName: optional(word("Its name at Azure.")),
    latestModelApplied: optional(boolean({ description: "It is of the present template." })),
    failureReason: optional(word("Terminal failure in one word, for programs.")),
    failureMessage: optional(word("Terminal failure, for people.")),
  }),
});

/** One AzureMachinePoolMachine. */
export type AzureMachinePoolMachine = typeof AzureMachinePoolMachine.Type;
