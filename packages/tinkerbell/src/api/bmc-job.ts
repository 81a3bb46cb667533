import { kind, list, object, optional, string } from "@capstan/schema";
import { bmcAction } from "./bmc/action.ts";
import { progress } from "./bmc/status.ts";
import { bmcKind } from "./names.ts";

const machineRef = object(
  {
    name: string({ description: "Name of the Machine." }),
    namespace: string({ description: "Namespace of the Machine." }),
  },
  { description: "The Machine of the group bmc.tinkerbell.org." },
);

export const BmcJob = kind({
  ...bmcKind,
  kind: "Job",
  plural: "jobs",
  // Its actions are those of the Machine that it names.
  references: [
    {
      path: "spec.machineRef",
      target: { ...bmcKind, plural: "machines" },
      verbs: ["update", "patch"],
      boundTo: "spec.tasks",
    },
  ],
  shortNames: ["j"],
  description: "What board management does, one action after another.",
  spec: optional(
    object({ machineRef, tasks: list(bmcAction("An action."), { description: "The actions.", minItems: 1 }) }),
  ),
  status: progress(),
});

/** Actions that board management performs one after another. */
export type BmcJob = typeof BmcJob.Type;
export type BmcAction = NonNullable<BmcJob["spec"]>["tasks"][number];
