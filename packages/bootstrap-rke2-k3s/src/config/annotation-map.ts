import { CapstanError } from "@capstan/contract";
import { describeObject } from "@capstan/contract/wire";
import { readYamlValue, YamlError } from "@capstan/kube-values/yaml";
import { isJsonObject, type KubeObject } from "@capstan/schema";

/** An annotation that cannot be used, and why. */
export const annotationInvalid = (object: KubeObject, name: string, problem: string): CapstanError =>
  new CapstanError({
    code: "distribution.annotation_invalid",
    reason: "AnnotationInvalid",
    message: `${describeObject(object)}: annotation ${name} ${problem}`,
    retry: { kind: "never" },
  });

/** The map in an annotation, `undefined` without one. Throws `distribution.annotation_invalid`. */
export const annotationMap = (object: KubeObject, name: string): Readonly<Record<string, unknown>> | undefined => {
  const text = object.metadata.annotations?.[name];
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = readYamlValue(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw annotationInvalid(object, name, `cannot be read as YAML: ${error.message}`);
  }
  if (!isJsonObject(value)) throw annotationInvalid(object, name, "must be a map");
  return value;
};
