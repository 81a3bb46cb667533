import { own, type StructuralSchema } from "@capstan/schema";
import type { JsonPath } from "./written-forms.ts";

/** The schema of what a path leads to; undefined where the schema knows nothing. An index of a JSON patch may be text. */
const schemaAt = (schema: StructuralSchema, path: JsonPath): StructuralSchema | undefined =>
  path.reduce<StructuralSchema | undefined>((at, step) => {
    if (at?.items !== undefined) return at.items;
    const others = at?.additionalProperties;
    return own(at?.properties, String(step)) ?? (typeof others === "object" ? others : undefined);
  }, schema);

/** Returns whether a whole number that is written as `2.0` stands where Go reads nothing but digits. */
export const writtenAsDecimal = (schema: StructuralSchema, path: JsonPath): boolean => {
  const at = schemaAt(schema, path);
  return at?.type === "integer" || (at?.["x-kubernetes-int-or-string"] === true && at.pattern === undefined);
};

/** Where in the object the values of a patch stand that are written as decimals. */
export const decimalsOfPatch = (
  type: "json" | "merge" | "strategic",
  operations: unknown,
  decimals: readonly JsonPath[],
): readonly JsonPath[] => {
  if (type === "merge") return decimals;
  if (type === "strategic" || !Array.isArray(operations)) return [];
  return decimals.flatMap(([index, member, ...rest]) => {
    const pointer: unknown =
      typeof index === "number" ? (operations[index] as { path?: unknown } | null)?.path : undefined;
    if (member !== "value" || typeof pointer !== "string") return [];
    const steps = pointer.split("/").slice(1);
    return [[...steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~")), ...rest]];
  });
};
