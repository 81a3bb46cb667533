import type { ConditionInput } from "@capstan/contract/wire";
import type { Found } from "./ready-resource.ts";

/** The condition of what an object refers to, where it does: `reason` when it is there. */
export const referenceConditions = (type: string, reason: string, found: Found): readonly ConditionInput[] => {
  if (found === undefined) return [];
  if ("id" in found) return [{ type, status: "True", reason }];
  return [{ type, status: "False", severity: "Info", ...found.waiting }];
};
