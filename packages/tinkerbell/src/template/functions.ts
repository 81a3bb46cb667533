import {
  defineFunction,
  fromJsonValue,
  toJsonValue,
  wholeSizeOf,
  withCost,
  type TemplateFunctions,
} from "@capstan/go-template";
import { sprigFunctions } from "@capstan/go-template/sprig";
import { sprigByChance, type Chance } from "@capstan/go-template/sprig-by-chance";
import { goYamlText, readGoYamlValue } from "@capstan/kube-values/yaml";
import { isIPv4 } from "node:net";

/** The device of a partition, by the way the system names those of its disk. */
const partition = (disk: string, number: number): string => {
  if (disk.startsWith("/dev/disk/")) return `${disk}-part${number}`;
  return /\d$/.test(disk) ? `${disk}p${number}` : `${disk}${number}`;
};

const prefixLength = (netmask: string): string => {
  const bits = isIPv4(netmask)
    ? netmask
        .split(".")
        .map((octet) => Number(octet).toString(2).padStart(8, "0"))
        .join("")
    : "x";
  if (!/^1*0*$/.test(bits)) throw new Error(`${netmask} is not a netmask such as 255.255.255.0`);
  return String(bits.lastIndexOf("1") + 1);
};

const toYaml = (value: unknown): string => goYamlText(toJsonValue(value)).replace(/\n$/, "");

const fromYaml = (text: string): unknown => {
  if (text === "") throw new Error("fromYaml: empty YAML input");
  return fromJsonValue(readGoYamlValue(text) ?? null);
};

/** Functions for templates that are rendered more than once. They return the same result every time. */
export const repeatableFunctions: TemplateFunctions = {
  ...sprigFunctions,
  formatPartition: defineFunction(["string", "int"], partition),
  fromYaml: withCost((values) => 60 * wholeSizeOf(values), defineFunction(["string"], fromYaml)),
  netmaskToPrefixLength: defineFunction(["string"], prefixLength),
  toYaml: withCost((values) => 200 * wholeSizeOf(values), defineFunction(["any"], toYaml)),
};

/** All functions that a Template may call. It is rendered once for each Workflow. */
export const templateFunctions = (chance: Chance): TemplateFunctions => ({
  ...repeatableFunctions,
  ...sprigByChance(chance),
});
