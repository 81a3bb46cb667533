import { Uint } from "../values/value.ts";
import type { Value } from "../values/value.ts";
import type { CelType } from "../types/cel-type.ts";
import { bool, bytes, double, dyn, int, nullType, string, uint } from "../types/cel-type.ts";

/** The type of a literal's value. */
export const typeOfLiteral = (value: Value): CelType => {
  if (value === null) return nullType;
  if (typeof value === "boolean") return bool;
  if (typeof value === "bigint") return int;
  if (typeof value === "number") return double;
  if (typeof value === "string") return string;
  if (value instanceof Uint) return uint;
  return value instanceof Uint8Array ? bytes : dyn;
};
