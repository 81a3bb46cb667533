import { CapstanError } from "@capstan/contract";
import { bootstrapFormats } from "@capstan/contract/wire";
import { forbidden, invalidContent, translationCauses } from "@capstan/kit/admission";
import { type ConfigProblem, translateButane, type Translation, yamlText } from "@capstan/kit/bootstrap";
import { readYamlValue, YamlError } from "@capstan/kube-values/yaml";
import { type Cause, isJsonObject } from "@capstan/schema";

/** Keys of the document that belong to the provider. */
const ownSections: readonly string[] = ["write_files", "ntp", "runcmd"];

/** Parses a text as YAML, or returns why it cannot be read. */
const parseYaml = (text: string): { readonly value: unknown } | { readonly problem: string } => {
  try {
    return { value: readYamlValue(text) };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return { problem: error.line === undefined ? error.message : `line ${error.line}: ${error.message}` };
  }
};

const valueOf = (text: string): unknown => {
  const parsed = parseYaml(text);
  return "value" in parsed ? parsed.value : undefined;
};

const blockText = (text: string): string => {
  const value = valueOf(text);
  return typeof value === "object" && value !== null ? yamlText(value, { sortKeys: false }) : text;
};

/** `additionalUserData.data` as it is stored: without the provider's keys, lists and maps as block YAML, scalars untouched. */
export const normalizedData = (data: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(data)
      .filter(([key]) => !ownSections.includes(key))
      .map(([key, text]) => [key, blockText(text)]),
  );

interface AdditionalUserData {
  readonly config?: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly strict?: boolean;
}

/** Validates `additionalUserData` of an Ignition config as Butane. */
const checkButane = (
  { config = "", data = {}, strict = false }: AdditionalUserData,
  field: string,
): readonly Cause[] => {
  const butane = { form: "Butane", strict };
  return [
    ...(config === "" ? [] : translationCauses(translateButane(config), `${field}.config`, butane)),
    ...(Object.keys(data).length === 0
      ? []
      : [forbidden(`${field}.data`, "its keys are those of a cloud-config; use config, in Butane")]),
  ];
};

/** Returns warnings about parts of `additionalUserData` that are probably not intended. */
export const userDataWarnings = (
  { config = "" }: AdditionalUserData,
  format: string | undefined,
): readonly ConfigProblem[] =>
  config === "" || format !== bootstrapFormats.ignition ? [] : translateButane(config).warnings;

/** Validates `additionalUserData`. */
export const checkUserData = (
  additional: AdditionalUserData,
  field: string,
  format: string | undefined,
): readonly Cause[] =>
  format === bootstrapFormats.ignition ? checkButane(additional, field) : checkCloudConfig(additional, field);

const checkCloudConfig = ({ config = "", data = {} }: AdditionalUserData, field: string): readonly Cause[] => {
  const parsed = parseYaml(config);
  const problem =
    "problem" in parsed
      ? parsed.problem
      : config === "" || isJsonObject(parsed.value)
        ? undefined
        : "must be a map of sections";
  return [
    ...(problem === undefined ? [] : [invalidContent(`${field}.config`, `must be a cloud-config in YAML: ${problem}`)]),
    ...Object.entries(data).flatMap(([key, text]) => {
      const value = parseYaml(text);
      return "problem" in value ? [invalidContent(`${field}.data.${key}`, `must be YAML: ${value.problem}`)] : [];
    }),
  ];
};

const refuseInvalid = (additional: AdditionalUserData, format: string): void => {
  const [cause] = checkUserData(additional, "agentConfig.additionalUserData", format);
  if (cause === undefined) return;
  throw new CapstanError({
    code: "distribution.user_data_invalid",
    reason: "UserDataInvalid",
    message: `spec.${cause.field}: ${cause.message}`,
    retry: { kind: "never" },
  });
};

/** The sections of the document that a user adds, from a stored `additionalUserData`. Throws `distribution.user_data_invalid`. */
export const additionalSections = (additional: unknown): Readonly<Record<string, unknown>> => {
  const { config = "", data = {} } = (additional ?? {}) as AdditionalUserData;
  refuseInvalid({ config, data }, bootstrapFormats.cloudConfig);
  const sections = [
    ...Object.entries(isJsonObject(valueOf(config)) ? (valueOf(config) as object) : {}),
    ...Object.entries(data).map(([key, text]) => [key, valueOf(text)] as const),
  ];
  return Object.fromEntries(sections.filter(([key]) => !ownSections.includes(key)));
};

/** The Ignition config that a user adds, from a stored `additionalUserData`. Throws `distribution.user_data_invalid`. */
export const additionalConfig = (additional: unknown): Translation | undefined => {
  const { config = "", ...rest } = (additional ?? {}) as AdditionalUserData;
  refuseInvalid({ config, ...rest }, bootstrapFormats.ignition);
  return config === "" ? undefined : translateButane(config);
};
