import type { Random } from "@capstan/contract";
import { CapstanError } from "@capstan/contract";
import { maxLabelLength, randomSuffix } from "@capstan/kube-values";
import { CoreErrorCode } from "../errors.ts";

const action = /\{\{-?\s*(.*?)\s*-?\}\}/g;
const dnsSubdomain = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;

/** What a naming template may refer to, for example `.machineSet.name`. */
export type NameVariables = Readonly<Record<string, string>>;

const invalid = (template: string, why: string): CapstanError =>
  new CapstanError({
    code: CoreErrorCode.machineNamingInvalid,
    reason: "InvalidMachineNaming",
    retry: { kind: "never" },
    message: `spec.machineNaming.template ${JSON.stringify(template)} ${why}`,
  });

/** The name of a new Machine from a naming template. Throws `core.machine_naming_invalid`. */
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
  if (!dnsSubdomain.test(fitted)) {
    throw invalid(template, `gives ${JSON.stringify(fitted)}, which is not a valid object name`);
  }
  return fitted;
};

/** The template used when a MachineSet names none. */
export const defaultMachineNaming = "{{ .machineSet.name }}-{{ .random }}";
