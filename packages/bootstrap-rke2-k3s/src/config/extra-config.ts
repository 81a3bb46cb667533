import { CapstanError } from "@capstan/contract";
import { describeObject } from "@capstan/contract/wire";
import { readYamlValue, YamlError } from "@capstan/kube-values/yaml";
import { isJsonObject, type KubeObject } from "@capstan/schema";
import { ConfigAnnotation } from "../api/conditions.ts";

/** Keys that decide which cluster a machine belongs to. */
const fixed: readonly string[] = ["agent-token", "cluster-init", "server", "token"];

const invalid = (object: KubeObject, problem: string): CapstanError =>
  new CapstanError({
    code: "distribution.extra_config_invalid",
    reason: "ExtraConfigInvalid",
    message: `${describeObject(object)}: annotation ${ConfigAnnotation.extraConfig} ${problem}`,
    retry: { kind: "never" },
  });

/** Keys of config.yaml for which there are no fields. Throws `distribution.extra_config_invalid`. */
export const extraConfigOf = (object: KubeObject): Readonly<Record<string, unknown>> => {
  const text = object.metadata.annotations?.[ConfigAnnotation.extraConfig];
  if (text === undefined) return {};
  let value: unknown;
  try {
    value = readYamlValue(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw invalid(object, `is no YAML: ${error.message}`);
  }
  if (!isJsonObject(value)) throw invalid(object, "must be a map of keys of config.yaml");
  const taken = fixed.find((key) => key in value);
  if (taken !== undefined) throw invalid(object, `must not have the key ${taken}, which belongs to the provider`);
  return value;
};
