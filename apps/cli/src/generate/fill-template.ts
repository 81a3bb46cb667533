import { CapstanError } from "@capstan/contract";
import type { FlavorV1 } from "@capstan/contract/v1";
import { isMap, parseAllDocuments } from "yaml";
import { deferredVariablesOf, substituteVariables, variablesOf, type VariableUse } from "../manifest/variables.ts";
import { isClusterScoped } from "./cluster-scoped.ts";

/** Variables that flags give, by their flags; those that were given. */
export type FlagVariables = Readonly<Record<string, { readonly flag: string; readonly value: string | undefined }>>;

/** Whoever gives a flag wants it to have an effect. Throws `generate.flag_unused`. */
const checkUsed = (template: string, variables: FlagVariables, source: string): void => {
  const used = new Set(variablesOf(template, source).map(({ name }) => name));
  const unused = Object.entries(variables).find(([name, { value }]) => value !== undefined && !used.has(name));
  if (unused === undefined) return;
  const [name, { flag }] = unused;
  throw new CapstanError({
    code: "generate.flag_unused",
    reason: "FlagUnused",
    message: `${flag}: ${source} has no variable ${name}; omit the flag, or use another template`,
    retry: { kind: "never" },
  });
};

/** Throws `generate.value_invalid` for a value that a flavor cannot do with. */
const checkValues = (
  rules: NonNullable<FlavorV1["values"]>,
  value: (name: string) => string | undefined,
  source: string,
): void => {
  for (const [name, { pattern, rule }] of Object.entries(rules)) {
    const given = value(name);
    if (given === undefined || pattern.test(given)) continue;
    throw new CapstanError({
      code: "generate.value_invalid",
      reason: "ValueInvalid",
      message: `${source}: ${name} is ${JSON.stringify(given)}, which ${rule}`,
      retry: { kind: "never" },
    });
  }
};

/** Replaces the variables of a template. Throws `manifest.variable_missing`, `generate.flag_unused`, `generate.value_invalid`. */
export const fillTemplate = (
  template: string,
  {
    source,
    flags,
    other,
    values = {},
  }: {
    readonly source: string;
    /** Constraints on values. Default: none. */
    readonly values?: FlavorV1["values"];
    readonly flags: FlagVariables;
    readonly other: (name: string) => string | undefined;
  },
): string => {
  checkUsed(template, flags, source);
  const value = (name: string): string | undefined => flags[name]?.value ?? other(name);
  checkValues(values, value, source);
  const wanted = Object.entries(flags).flatMap(([name, { flag }]) =>
    flag.startsWith("--set") ? [] : `${name} (${flag})`,
  );
  const byFlags = wanted.length === 0 ? "" : `; flags give ${wanted.join(", ")}`;
  return substituteVariables(template, value, source, `set it in the environment or with --set NAME=VALUE${byFlags}`);
};

/** Puts every object of manifests into a namespace, but for kinds that are in none. */
export const inNamespace = (text: string, namespace: string): string => {
  const documents = parseAllDocuments(text);
  if (!Array.isArray(documents)) return text;
  for (const document of documents) {
    if (!isMap(document.contents)) continue;
    if (isClusterScoped(String(document.get("apiVersion")), String(document.get("kind")))) continue;
    document.setIn(["metadata", "namespace"], namespace);
  }
  return documents.map((document, index) => document.toString({ directives: index > 0, lineWidth: 0 })).join("");
};

const line = ({ name, fallback }: VariableUse): string =>
  `  - ${name}${fallback === undefined ? "" : ` (defaults to ${JSON.stringify(fallback)})`}\n`;

const section = (title: string, variables: readonly VariableUse[]): string =>
  variables.length === 0 ? "" : `${title}:\n${variables.map(line).join("")}`;

/** The variables of a template, in clusterctl's words. */
export const variableList = (template: string, source: string): string => {
  const variables = variablesOf(template, source);
  return [
    section(
      "Required Variables",
      variables.filter(({ fallback }) => fallback === undefined),
    ),
    section(
      "Optional Variables",
      variables.filter(({ fallback }) => fallback !== undefined),
    ),
    section("Left to capstan up and capstan generate yaml", deferredVariablesOf(template, source)),
  ]
    .filter((text) => text !== "")
    .join("\n");
};
