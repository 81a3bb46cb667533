import { kind, object, optional, textField } from "@capstan/schema";
import { tinkerbellKind } from "./names.ts";

export const Template = kind({
  ...tinkerbellKind,
  kind: "Template",
  plural: "templates",
  shortNames: ["tpl"],
  description: "Tasks and actions of workflows, as a template of YAML.",
  columns: [{ name: "State", path: ".status.state" }],
  spec: optional(object({ data: textField("A template in the language of Go that gives YAML.") })),
  status: object({ state: textField("Its state.") }),
});

/** One Template. */
export type Template = typeof Template.Type;
