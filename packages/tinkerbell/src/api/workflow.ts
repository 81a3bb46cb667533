import { flagField, kind, mapField, object, optional, textField } from "@capstan/schema";
import { tinkerbellKind } from "./names.ts";
import { bootOptions } from "./workflow/boot-options.ts";
import { workflowStatus } from "./workflow/status.ts";

export const Workflow = kind({
  ...tinkerbellKind,
  kind: "Workflow",
  plural: "workflows",
  shortNames: ["wf"],
  description: "A Template that runs on a machine.",
  columns: [
    { name: "Template", path: ".spec.templateRef" },
    { name: "State", path: ".status.state" },
    { name: "Task", path: ".status.currentState.taskName", priority: 1 },
    { name: "Action", path: ".status.currentState.actionName" },
    { name: "Agent", path: ".status.currentState.agentID" },
    { name: "Hardware", path: ".spec.hardwareRef" },
    { name: "Template-Rendering", path: ".status.templateRendering", priority: 1 },
  ],
  spec: optional(
    object({
      templateRef: textField("Name of the Template, in the same namespace."),
      hardwareRef: textField("Name of the Hardware, in the same namespace."),
      hardwareMap: mapField("Values that the template finds under these names.", "A value."),
      disabled: flagField("Whether it does not run."),
      bootOptions: optional(bootOptions()),
    }),
  ),
  status: workflowStatus(),
});

/** One Workflow. */
export type Workflow = typeof Workflow.Type;
export type WorkflowStatus = NonNullable<Workflow["status"]>;
export type WorkflowTask = NonNullable<WorkflowStatus["tasks"]>[number];
export type WorkflowAction = WorkflowTask["actions"][number];
