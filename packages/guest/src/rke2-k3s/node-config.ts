import { readYamlValue } from "@capstan/kube-values/yaml";
import { isJsonObject } from "@capstan/schema";
import type { MachineContext } from "../node/machine-context.ts";
import type { NodeRegistration } from "../node/node-registration.ts";
import { type Distribution, serviceError } from "./distribution.ts";

/** The settings in config.yaml of one machine, and after it those of config.yaml.d in the order of names. */
export type NodeConfig = Readonly<Record<string, unknown>>;

const readFile = (machine: MachineContext, path: string): NodeConfig => {
  let value: unknown;
  try {
    value = readYamlValue(machine.disk.text(path) ?? "{}");
  } catch (error) {
    throw serviceError(`failed to parse ${path}: ${(error as Error).message}`);
  }
  if (!isJsonObject(value)) throw serviceError(`failed to parse ${path}: it is not a map`);
  return value;
};

/** The last value of a key wins; `key+` adds to a list. */
const joined = (before: NodeConfig, file: NodeConfig): NodeConfig =>
  Object.entries(file).reduce<NodeConfig>((config, [key, value]) => {
    if (!key.endsWith("+")) return { ...config, [key]: value };
    const name = key.slice(0, -1);
    return { ...config, [name]: [config[name] ?? [], value].flat() };
  }, before);

/** Reads the settings as the distribution's program does. Throws `guest.service_failed`. */
export const readConfig = (machine: MachineContext, { configDirectory }: Distribution): NodeConfig => {
  const path = `${configDirectory}/config.yaml`;
  const more = machine.disk.paths().filter((file) => file.startsWith(`${path}.d/`) && file.endsWith(".yaml"));
  return [path, ...more.toSorted()].map((file) => readFile(machine, file)).reduce(joined, {});
};

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

export const listOf = (value: unknown): readonly string[] =>
  [value ?? []].flat().filter((item): item is string => typeof item === "string");

const taintOf = (text: string): Readonly<Record<string, string>> => {
  const [pair = "", effect = ""] = text.split(":");
  const [key = "", value] = pair.split("=");
  return { key, effect, ...(value !== undefined && value !== "" && { value }) };
};

/** Returns the registration of the Node, with the labels of the distribution and of the settings. */
export const registrationOf = (
  config: NodeConfig,
  machine: MachineContext,
  labels: readonly string[],
): NodeRegistration => ({
  name: textOf(config["node-name"]) || machine.hostname,
  taints: listOf(config["node-taint"]).map(taintOf),
  kubeletArgs: {
    // RKE2 tells its kubelets so when it is told of a cloud.
    ...(textOf(config["cloud-provider-name"]) === "external" && { "cloud-provider": "external" }),
    ...Object.fromEntries(
      listOf(config["kubelet-arg"]).map((argument) => [
        argument.split("=", 1)[0] ?? "",
        argument.slice(argument.indexOf("=") + 1),
      ]),
    ),
    "node-labels": [...labels, ...listOf(config["node-label"])].join(","),
  },
});
