import { kind, object, optional } from "@capstan/schema";
import { bmcAction } from "./bmc/action.ts";
import { bmcConnection, connectionReferences } from "./bmc/connection.ts";
import { progress } from "./bmc/status.ts";
import { bmcKind } from "./names.ts";

export const BmcTask = kind({
  ...bmcKind,
  kind: "Task",
  plural: "tasks",
  references: connectionReferences,
  shortNames: ["t"],
  description: "One action of a Job.",
  spec: optional(object({ task: bmcAction("The action."), connection: optional(bmcConnection()) })),
  status: progress(),
});

/** One action of a Job. */
export type BmcTask = typeof BmcTask.Type;
