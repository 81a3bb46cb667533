import {
  boolCoreTag,
  boolYaml11Tag,
  defineMappingTag,
  defineScalarTag,
  floatCoreTag,
  floatYaml11Tag,
  intCoreTag,
  intYaml11Tag,
  mergeTag,
  NOT_RESOLVED,
  nullCoreTag,
  nullYaml11Tag,
  Schema,
  seqTag,
  strTag,
} from "js-yaml";
import { goScalar } from "./go-scalars.ts";

type Members = Record<string, unknown>;

const [least, most] = [-(2n ** 63n), 2n ** 63n - 1n];

/** Integers that a number cannot hold are a bigint, as in `parseJson`; beyond 64 bits they are a number with what it can hold. */
const exactInteger = (source: string, value: number): number | bigint => {
  if (Number.isSafeInteger(value)) return value;
  const integer = BigInt(source.replace(/^[-+](?=0)/, ""));
  return integer >= least && integer <= most ? integer : value;
};

const integers = defineScalarTag<number | bigint>(intCoreTag.tagName, {
  ...intCoreTag,
  resolve: (source, isExplicit, tagName) => {
    const value = intCoreTag.resolve(source, isExplicit, tagName);
    return value === NOT_RESOLVED ? NOT_RESOLVED : exactInteger(source, value);
  },
});

/** The name that a key stands for; `undefined` for lists, maps and null. */
const nameOf = (key: unknown): string | undefined =>
  typeof key === "string" || typeof key === "number" || typeof key === "bigint" || typeof key === "boolean"
    ? String(key)
    : undefined;

const objects = defineMappingTag<Members>("tag:yaml.org,2002:map", {
  create: () => ({}),
  addPair: (carrier, key, value) => {
    const name = nameOf(key);
    if (name === undefined) return "the keys of a map must be texts";
    if (name === "__proto__") {
      Object.defineProperty(carrier, name, { value, enumerable: true, configurable: true, writable: true });
    } else {
      carrier[name] = value;
    }
    return "";
  },
  has: (carrier, key) => Object.hasOwn(carrier, nameOf(key) ?? ""),
  keys: (members) => Object.keys(members),
  get: (members, key) => members[nameOf(key) ?? ""],
  identify: () => false,
});

/** YAML 1.2 with merge keys, as the values that JSON has. */
export const jsonSchema = new Schema([
  strTag,
  nullCoreTag,
  boolCoreTag,
  integers,
  floatCoreTag,
  mergeTag,
  seqTag,
  objects,
]);

/** YAML 1.1 without dates, which stay texts: `yes` is true there, and `0600` is octal. */
export const schema11 = new Schema([
  strTag,
  nullYaml11Tag,
  boolYaml11Tag,
  intYaml11Tag,
  floatYaml11Tag,
  mergeTag,
  seqTag,
  objects,
]);

/** Plain scalars as Go reads them, where they are of a kind. */
const goTag = (kind: string, isOfKind: (value: unknown) => boolean) =>
  defineScalarTag<boolean | null | number | bigint>(`tag:yaml.org,2002:${kind}`, {
    implicit: true,
    resolve: (source) => {
      const found = goScalar(source);
      return found !== undefined && isOfKind(found.value) ? found.value : NOT_RESOLVED;
    },
    identify: () => false,
  });

const goTags = [
  goTag("null", (value) => value === null),
  goTag("bool", (value) => typeof value === "boolean"),
  goTag("int", (value) => typeof value === "bigint" || Number.isInteger(value)),
  goTag("float", (value) => typeof value === "number"),
];

/** YAML 1.1 as Go's `sigs.k8s.io/yaml` reads it: `y` is true there, `0600` is octal, `1:30` and dates are texts. */
export const goSchema = new Schema([strTag, ...goTags, mergeTag, seqTag, objects]);

/** YAML whose scalars are all texts, as they stand there: `0600` and `true` as well. */
export const textSchema = new Schema([strTag, mergeTag, seqTag, objects]);
