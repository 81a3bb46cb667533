import { isCapstanError } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import { fromBase64, keyOf } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import {
  ConfigMap,
  Secret,
  type Container,
  type EnvironmentVariable,
  type KeyReference,
  type PodObject,
} from "../kinds/workload-kinds.ts";

interface Source {
  readonly client: Client;
  readonly signal: AbortSignal;
}

/** Reason a container cannot be created, in the kubelet's words. */
class Missing extends Error {}

const kinds = [
  { field: "secretKeyRef", kind: Secret, word: "secret", key: "Secret", decode: fromBase64 },
  { field: "configMapKeyRef", kind: ConfigMap, word: "configmap", key: "ConfigMap", decode: (text: string) => text },
] as const;

const valueAt = async (
  reference: KeyReference,
  { decode, key, kind, word }: (typeof kinds)[number],
  namespace: string,
  { client, signal }: Source,
): Promise<string | undefined> => {
  const { key: wanted, name = "", optional = false } = reference;
  let found: KubeObject | undefined;
  try {
    found = await client.get(kind, { namespace, name }, { signal });
  } catch (error) {
    if (!isCapstanError(error, "kube.not_found")) throw error;
  }
  const text = (found?.["data"] as Readonly<Record<string, string>> | undefined)?.[wanted];
  if (text !== undefined) return decode(text);
  if (optional) return undefined;
  if (found === undefined) throw new Missing(`${word} "${name}" not found`);
  throw new Missing(`couldn't find key ${wanted} in ${key} ${namespace}/${name}`);
};

const fields = (pod: PodObject): Readonly<Record<string, string | undefined>> => ({
  "metadata.name": pod.metadata.name,
  "metadata.namespace": pod.metadata.namespace,
  "spec.nodeName": pod.spec.nodeName,
});

const valueOf = async (
  { value, valueFrom }: EnvironmentVariable,
  pod: PodObject,
  source: Source,
): Promise<string | undefined> => {
  if (valueFrom === undefined) return value ?? "";
  const { namespace } = keyOf(pod);
  for (const each of kinds) {
    const reference = valueFrom[each.field];
    if (reference !== undefined) return valueAt(reference, each, namespace, source);
  }
  return fields(pod)[valueFrom.fieldRef?.fieldPath ?? ""] ?? "";
};

/** The variables of a container, or why it cannot be made: a Secret, a ConfigMap or a key of them that is not there. */
export const environmentOf = async (
  { env = [] }: Container,
  pod: PodObject,
  source: Source,
): Promise<{ readonly variables: Readonly<Record<string, string>> } | { readonly missing: string }> => {
  const variables: Record<string, string> = {};
  try {
    for (const variable of env) {
      const value = await valueOf(variable, pod, source);
      if (value !== undefined) variables[variable.name] = value;
    }
  } catch (error) {
    if (error instanceof Missing) return { missing: error.message };
    throw error;
  }
  return { variables };
};
