import type { JsonObject, StructuralSchema } from "@capstan/schema";
import { isJsonObject } from "@capstan/schema";

const texts = [
  "x",
  "10.99.0.0/24",
  "v1.34.0",
  "v1.34.0+rke2r1",
  "52:54:00:99:00:01",
  `sha256:${"0".repeat(64)}`,
  "Opaque",
  "1s",
  "aa/bb",
];

/** What a field of such a name is to be, unless a schema says more. */
const byName: Readonly<Record<string, unknown>> = {
  namespace: "team-a",
  path: "/etc/x",
  region: "us-ord",
  address: "10.99.0.1",
  version: "v1.34.0",
  storageAccountType: "Premium_LRS",
};

const fits = ({ pattern, minLength = 1 }: StructuralSchema, text: string): boolean =>
  text.length >= minLength && (pattern === undefined || new RegExp(pattern, "u").test(text));

const textFor = (schema: StructuralSchema, name: string): string => {
  const named = byName[name];
  const possible = [...(typeof named === "string" ? [named] : []), ...texts, "x".repeat(schema.minLength ?? 1)];
  return possible.find((text) => fits(schema, text)) ?? "x";
};

/** The smallest value that a schema says it takes, for a field of some name. */
export const smallest = (schema: StructuralSchema, name = ""): unknown => {
  const { type, properties = {}, items, required = [] } = schema;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  if (type === "string") return textFor(schema, name);
  if (type === "boolean") return false;
  if (type === "array") {
    return Array.from({ length: schema.minItems ?? 0 }, () => smallest(items ?? { type: "string" }));
  }
  if (type !== "object") return schema.minimum ?? 1;
  const members = [...required, ...("storageAccountType" in properties ? ["storageAccountType"] : [])];
  return Object.fromEntries(
    members.map((member) => [member, smallest(properties[member] ?? { type: "string" }, member)]),
  );
};

/** Puts a value where a path leads, as `naming-fields.ts` writes it, with what the schema requires on the way. */
export const put = (given: unknown, schema: StructuralSchema, path: string, value: unknown): unknown => {
  if (path === "") return value;
  const rest = path.startsWith(".") ? path.slice(1) : path;
  if (rest.startsWith("[]")) return [put(undefined, schema.items ?? {}, rest.slice(2), value)];
  if (rest.startsWith("{}")) {
    const inner = schema.additionalProperties;
    return { theirs: put(undefined, typeof inner === "object" ? inner : {}, rest.slice(2), value) };
  }
  const [name = ""] = /^[^.[{]+/.exec(rest) ?? [];
  const base = (isJsonObject(given) ? given : smallest({ ...schema, type: "object" })) as JsonObject;
  const { properties = {} } = schema;
  return { ...base, [name]: put(base[name], properties[name] ?? {}, rest.slice(name.length), value) };
};

/** The schema where a path leads. */
export const schemaAt = (schema: StructuralSchema, path: string): StructuralSchema => {
  const steps = path.match(/[^.[\]{}]+|\[\]|\{\}/g) ?? [];
  return steps.reduce<StructuralSchema>((at, step) => {
    if (step === "[]") return at.items ?? {};
    if (step === "{}") return typeof at.additionalProperties === "object" ? at.additionalProperties : {};
    return at.properties?.[step] ?? {};
  }, schema);
};
