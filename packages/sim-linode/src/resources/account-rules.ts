import { invalid, Refusal } from "@capstan/simulation";
import type { Quotas } from "../quotas.ts";
import type { World } from "../world.ts";

/** Refuses one more than the account may have. */
export const checkQuota = ({ quotas }: World, kind: keyof Quotas, count: number): void => {
  if (count >= (quotas[kind] ?? Infinity)) {
    throw new Refusal(400, "Account Limit reached. Please open a support ticket.");
  }
};

/** Refuses a label that another thing of the kind has. */
export const uniqueLabel = <I extends { readonly label: string }>(
  items: readonly I[],
  label: string | undefined,
  itself?: I,
  field = "label",
): void => {
  if (label !== undefined && items.some((item) => item !== itself && item.label === label)) {
    throw invalid("Label must be unique among your resources of this kind", field);
  }
};
