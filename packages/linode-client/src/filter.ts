import type { Filter } from "./types/api.ts";

type Value = string | number | boolean | null;

const operation =
  (operator: string) =>
  (field: string, value: Value): Filter => ({ [field]: { [operator]: value } });

/**
 * Builds `X-Filter` expressions:
 * `filter.order(filter.and(filter.eq("region", "us-ord"), filter.contains("label", "web")), "label", "desc")`.
 */
export const filter = {
  eq: (field: string, value: Value): Filter => ({ [field]: value }),
  neq: operation("+neq"),
  gt: operation("+gt"),
  gte: operation("+gte"),
  lt: operation("+lt"),
  lte: operation("+lte"),
  contains: operation("+contains"),
  and: (...filters: readonly Filter[]): Filter => ({ "+and": filters }),
  or: (...filters: readonly Filter[]): Filter => ({ "+or": filters }),
  /** Adds an order to a filter; the empty filter `{}` sorts everything. */
  order: (base: Filter, by: string, direction: "asc" | "desc" = "asc"): Filter => ({
    ...base,
    "+order_by": by,
    "+order": direction,
  }),
} as const;
