import { formatQuantity, millisOf as quantityMillis, parseQuantity, type Quantity } from "@capstan/kube-values";
import { changed, type Part, partOf } from "./object-parts.ts";

/** More than any amount of a resource; a text that says more is left as it is. */
const tooMuch = 10n ** 60n;

const parsed = (value: unknown): Quantity | undefined => {
  const isNumber = typeof value === "number" || typeof value === "bigint";
  return parseQuantity(isNumber ? String(value) : typeof value === "string" ? value.trim() : "");
};

/** True for what can be read as a quantity. */
export const isQuantity = (value: unknown): boolean => parsed(value) !== undefined;

/** `undefined` for what is not a quantity, or none that a resource can have. */
const quantityOf = (value: unknown): Quantity | undefined => {
  const quantity = parsed(value);
  return quantity !== undefined && quantity.nanos < tooMuch && quantity.nanos > -tooMuch ? quantity : undefined;
};

/** The one way in which Kubernetes writes an amount: `1024Mi` is `1Gi`, `0.5` is `500m`. What cannot be read is left as it is. */
export const canonicalQuantity = (value: unknown): unknown => {
  const quantity = quantityOf(value);
  return quantity === undefined ? value : formatQuantity(quantity);
};

/** Amounts by resource, each in its canonical form. */
export const canonicalAmounts = (amounts: unknown): Part =>
  Object.fromEntries(Object.entries(partOf(amounts)).map(([name, amount]) => [name, canonicalQuantity(amount)]));

/** Requests and limits in canonical form. */
export const canonicalResources = (resources: unknown): Part =>
  changed(changed(partOf(resources), "limits", canonicalAmounts), "requests", canonicalAmounts);

/** Thousandths of the amount; `undefined` for what is not a quantity. */
export const millisOf = (value: unknown): bigint | undefined => {
  const quantity = quantityOf(value);
  return quantity === undefined ? undefined : quantityMillis(quantity);
};
