import { CapstanError } from "@capstan/contract";
import { invalid } from "@capstan/kit/admission";
import { yamlText } from "@capstan/kit/userdata";
import { readYamlValue, YamlError } from "@capstan/kube-values/yaml";
import { type Cause, isJsonObject } from "@capstan/schema";

/** Keys of the document that belong to the provider. */
const ownSections: readonly string[] = ["write_files", "ntp", "runcmd"];

/** What a text is as YAML, or why it cannot be read. */
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

/** What is wrong with `additionalUserData` of a cloud-config. */
export const checkUserData = (
  additional: { readonly config?: string; readonly data?: Readonly<Record<string, string>> },
  field: string,
): readonly Cause[] => {
  const { config = "", data = {} } = additional;
  const parsed = parseYaml(config);
  const problem =
    "problem" in parsed
      ? parsed.problem
      : config === "" || isJsonObject(parsed.value)
        ? undefined
        : "it is no map of sections";
  return [
    ...(problem === undefined
      ? []
      : [invalid(`${field}.config`, config, `must be a cloud-config in YAML: ${problem}`)]),
    ...Object.entries(data).flatMap(([key, text]) => {
      const value = parseYaml(text);
      return "problem" in value ? [invalid(`${field}.data.${key}`, text, `must be YAML: ${value.problem}`)] : [];
    }),
  ];
};

/** The sections of the document that a user adds, from a stored `additionalUserData`. Throws `distribution.user_data_invalid`. */
export const additionalSections = (additional: unknown): Readonly<Record<string, unknown>> => {
  const { config = "", data = {} } = (additional ?? {}) as Parameters<typeof checkUserData>[0];
  const [cause] = checkUserData({ config, data }, "spec.agentConfig.additionalUserData");
  if (cause !== undefined) {
    throw new CapstanError({
      code: "distribution.user_data_invalid",
      reason: "UserDataInvalid",
      message: `${cause.field}: ${cause.message}`,
      retry: { kind: "never" },
    });
  }
  const sections = [
    ...Object.entries(isJsonObject(valueOf(config)) ? (valueOf(config) as object) : {}),
    ...Object.entries(data).map(([key, text]) => [key, valueOf(text)] as const),
  ];
  return Object.fromEntries(sections.filter(([key]) => !ownSections.includes(key)));
};
