import { defineFunction, withCost, wholeSizeOf, type TemplateFunctions } from "@capstan/go-template";
import { sprigFunctions } from "@capstan/go-template/sprig";
import { readYamlValue, YamlError } from "@capstan/kube-values/yaml";
import { isIPv4 } from "node:net";
import { stringify } from "yaml";

/** The device of a partition, by the way the system names those of its disk. */
const partition = (disk: string, number: number): string => {
  if (disk.startsWith("/dev/disk/")) return `${disk}-part${number}`;
  return /\d$/.test(disk) ? `${disk}p${number}` : `${disk}${number}`;
};

const prefixLength = (netmask: string): number => {
  const bits = isIPv4(netmask)
    ? netmask
        .split(".")
        .map((octet) => Number(octet).toString(2).padStart(8, "0"))
        .join("")
    : "x";
  if (!/^1*0*$/.test(bits)) throw new Error(`${netmask} is not a netmask such as 255.255.255.0`);
  return bits.lastIndexOf("1") + 1;
};

const toYaml = (value: unknown): string =>
  stringify(value ?? null, {
    lineWidth: 0,
    indentSeq: false,
    sortMapEntries: true,
    aliasDuplicateObjects: false,
  }).replace(/\n$/, "");

const fromYaml = (text: string): unknown => {
  try {
    return readYamlValue(text) ?? {};
  } catch (error) {
    if (error instanceof YamlError) return { Error: error.message };
    throw error;
  }
};

/** Everything that a Template may call. */
export const templateFunctions: TemplateFunctions = {
  ...sprigFunctions,
  formatPartition: defineFunction(["string", "int"], partition),
  fromYaml: withCost((values) => 60 * wholeSizeOf(values), defineFunction(["string"], fromYaml)),
  netmaskToPrefixLength: defineFunction(["string"], prefixLength),
  toYaml: withCost((values) => 200 * wholeSizeOf(values), defineFunction(["any"], toYaml)),
};
