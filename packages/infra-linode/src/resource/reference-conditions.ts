import type { ConditionInput, ConditionRow } from "@capstan/contract/wire";
import type { Found } from "./ready-resource.ts";

/** Returns the condition of what an object refers to; nothing without a reference. */
export const referenceConditions = (
  { reasons, type }: ConditionRow & { readonly reasons: { readonly ready: string } },
  found: Found,
): readonly ConditionInput[] => {
  if (found === undefined) return [];
  if ("id" in found) return [{ type, status: "True", reason: reasons.ready }];
  return [{ type, status: "False", severity: "Info", ...found.waiting }];
};
