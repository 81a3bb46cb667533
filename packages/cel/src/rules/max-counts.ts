import type { StructuralSchema } from "@capstan/schema";

/**
 * Returns the maximum number of values of each schema node in one object; `Infinity` below a list or map without a
 * limit.
 */
export const maxCounts = (schema: StructuralSchema): ReadonlyMap<StructuralSchema, number> => {
  const counts = new Map<StructuralSchema, number>();
  const visit = (node: StructuralSchema, count: number): void => {
    counts.set(node, Math.max(count, counts.get(node) ?? 0));
    const { items, properties, additionalProperties, maxItems = Infinity, maxProperties = Infinity } = node;
    if (items !== undefined) visit(items, count * Math.max(1, maxItems));
    if (typeof additionalProperties === "object") visit(additionalProperties, count * Math.max(1, maxProperties));
    for (const property of Object.values(properties ?? {})) visit(property, count);
  };
  visit(schema, 1);
  return counts;
};
