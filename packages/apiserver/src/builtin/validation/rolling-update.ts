import { type Causes, invalid } from "./causes.ts";

const percentage = /^(\d{1,9})%$/;

/** A number of Pods, or a share of them in percent: what a rolling update may remove or add. */
const amountOf = (value: unknown): { readonly number: number; readonly isShare: boolean } | undefined => {
  if (typeof value === "number") {
    return { number: value, isShare: false };
  }
  const share = percentage.exec(String(value))?.[1];
  return share === undefined ? undefined : { number: Number(share), isShare: true };
};

/** Returns whether the value is an amount at all. */
export const isAmount = (value: unknown): boolean => amountOf(value) !== undefined;

/** Returns whether an amount is given and not nothing. */
export const isSome = (value: unknown): boolean => (amountOf(value)?.number ?? 0) !== 0;

/** Causes of an amount of Pods; with `most` it may not be over 100 %. */
export const podAmountCauses = (field: string, value: unknown, most?: "all"): Causes => {
  if (value === undefined || value === null) {
    return [];
  }
  const amount = amountOf(value);
  if (amount === undefined) {
    return [invalid(field, value, "must be an integer or a percentage such as '25%'")];
  }
  if (amount.number < 0) {
    return [invalid(field, value, "must be greater than or equal to 0")];
  }
  return most === "all" && amount.isShare && amount.number > 100
    ? [invalid(field, value, "must not be greater than 100%")]
    : [];
};
