import { enumOf, kind, object, optional, time } from "@capstan/schema";
import { bmcConnection, connectionReferences } from "./bmc/connection.ts";
import { bmcConditions } from "./bmc/status.ts";
import { bmcKind, movedLabels } from "./names.ts";

export const BmcMachine = kind({
  ...bmcKind,
  labels: movedLabels,
  kind: "Machine",
  plural: "machines",
  references: connectionReferences,
  description: "The board management of a machine.",
  spec: optional(object({ connection: bmcConnection() })),
  status: object({
    powerState: optional(enumOf(["on", "off", "unknown"], { description: "Whether the machine is on." })),
    conditions: bmcConditions({ lastUpdateTime: optional(time({ description: "When it was last looked at." })) }),
  }),
});

/** The board management of one machine. */
export type BmcMachine = typeof BmcMachine.Type;
