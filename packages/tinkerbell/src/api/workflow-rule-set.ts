import { flagField, kind, mapField, object, optional, textField, textsField } from "@capstan/schema";
import { tinkerbellKind } from "./names.ts";

const workflow = object(
  {
    disabled: flagField("Whether the workflows are made disabled."),
    namespace: textField("Namespace of the workflows."),
    addAttributes: flagField("Whether the workflows get the attributes of the agent as an annotation."),
    template: optional(
      object(
        {
          agentValue: textField("Key of the hardware map under which the template finds the agent's id."),
          kvs: mapField("Further entries of the hardware map.", "A value."),
          ref: textField("Name of the Template."),
        },
        { description: "The Template of the workflows." },
      ),
    ),
  },
  { description: "What the workflows are made from." },
);

export const WorkflowRuleSet = kind({
  ...tinkerbellKind,
  kind: "WorkflowRuleSet",
  plural: "workflowrulesets",
  shortNames: ["wrs"],
  description: "For which agents that have no workflow one is made, and which.",
  spec: optional(
    object({
      rules: textsField("Patterns over the attributes of agents; one of them must match.", "A pattern in JSON."),
      workflow: optional(workflow),
    }),
  ),
  status: object({}),
});

/** One WorkflowRuleSet. */
export type WorkflowRuleSet = typeof WorkflowRuleSet.Type;
