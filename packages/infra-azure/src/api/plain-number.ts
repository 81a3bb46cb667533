import { numberOfQuantity, parseQuantity } from "@capstan/kube-values";

/** A quantity of a spec, such as `1.5` or `500m`, as Azure takes it; `undefined` where there is none. */
export const plainNumber = (quantity: string | number | undefined): number | undefined => {
  const parsed = quantity === undefined ? undefined : parseQuantity(String(quantity));
  return parsed === undefined ? undefined : numberOfQuantity(parsed);
};
