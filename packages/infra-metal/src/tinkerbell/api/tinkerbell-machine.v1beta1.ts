import { boolean, conditions, integer, kind, list, object, optional, string } from "@capstan/schema";
import { clusterNameColumn, tinkerbellKind } from "./names.ts";
import { initialization } from "./status-parts.ts";
import { tinkerbellMachineSpec } from "./tinkerbell-machine-spec.ts";

/** A piece of Hardware that backs one Machine. */
export const TinkerbellMachine = kind({
  ...tinkerbellKind,
  kind: "TinkerbellMachine",
  plural: "tinkerbellmachines",
  description: "A piece of Hardware that backs one Machine.",
  columns: [
    clusterNameColumn,
    { name: "State", path: ".status.instanceState" },
    { name: "Ready", path: ".status.ready" },
    { name: "InstanceID", path: ".spec.providerID" },
    { name: "Machine", path: '.metadata.ownerReferences[?(@.kind=="Machine")].name' },
  ],
  spec: optional(tinkerbellMachineSpec()),
  status: object({
    ready: optional(boolean({ description: "The Hardware is provisioned." })),
    initialization: optional(initialization()),
    addresses: optional(
      list(
        object(
          {
            type: string({ description: "What kind of address it is." }),
            address: string({ description: "The address." }),
          },
          { description: "One address." },
        ),
        { description: "Addresses of the Hardware." },
      ),
    ),
    instanceStatus: optional(integer({ description: "Not used." })),
    targetNamespace: optional(
      string({ description: "Namespace of the Hardware, of the Template and of the Workflow." }),
    ),
    errorReason: optional(string({ description: "Not used any more; see the conditions." })),
    errorMessage: optional(string({ description: "Not used any more; see the conditions." })),
    conditions: optional(conditions()),
  }),
});

/** One TinkerbellMachine. */
export type TinkerbellMachine = typeof TinkerbellMachine.Type;
