import type { Random } from "@capstan/contract";
import { CapstanError } from "@capstan/contract";
import { isDnsSubdomain, maxLabelLength, randomSuffix } from "@capstan/kube-values";
import { MachinesErrorCode } from "./errors.ts";

const action = /\{\{-?\s*(.*?)\s*-?\}\}/g;

/** Variables of a naming template, for example `.machineSet.name`. */
export type NameVariables = Readonly<Record<string, string>>;

const invalid = (template: string, why: string): CapstanError =>
  new CapstanError({
    code: MachinesErrorCode.namingInvalid,
    reason: "InvalidMachineNaming",
    retry: { kind: "never" },
    message: `spec.machineNaming.template ${JSON.stringify(template)} ${why}`,
  });

/** The name of a new Machine from a naming template. Throws `machines.naming_invalid`. */
export const machineName = (template: string, variables: NameVariables, random: Random): string => {
  const suffix = randomSuffix(random);
  const values: NameVariables = { ...variables, ".random": suffix };
  let usesRandom = false;
  const name = template.replaceAll(action, (_, expression: string) => {
    const value = values[expression];
    if (value === undefined) {
      throw invalid(template, `refers to ${JSON.stringify(expression)}; it may use ${Object.keys(values).join(", ")}`);
    }
    usesRandom ||= expression === ".random";
    return value;
  });
  if (!usesRandom) throw invalid(template, "lacks {{ .random }}, so the names would not differ");
  const fitted = name.length > maxLabelLength ? `${name.slice(0, maxLabelLength - suffix.length)}${suffix}` : name;
  if (!isDnsSubdomain(fitted)) {
    throw invalid(template, `gives ${JSON.stringify(fitted)}, which is not a valid object name`);
  }
  return fitted;
};
