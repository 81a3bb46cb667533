import { parseDuration } from "@capstan/kube-values";
import { jsonText } from "@capstan/schema/structural";
import { badRequest } from "../model/status-error.ts";

/** Booleans in queries: anything but absence, `0` and `false`, in capitals too, is true. */
export const isTrue = (value: string | null): boolean =>
  value !== null && value !== "0" && value.toLowerCase() !== "false";

/** A boolean in a query; `undefined` when absent. */
export const booleanOption = (query: URLSearchParams, name: string): boolean | undefined =>
  query.has(name) ? isTrue(query.get(name)) : undefined;

/** A 64-bit integer in a query; `undefined` when absent. Throws a 400. */
export const numberOption = (query: URLSearchParams, name: string): number | undefined => {
  const text = query.get(name);
  if (text === null) {
    return undefined;
  }
  const value = /^[+-]?\d{1,100}$/.test(text) ? BigInt(text.replace("+", "")) : undefined;
  if (value === undefined || BigInt.asIntN(64, value) !== value) {
    throw badRequest(`invalid value ${jsonText(text)} for ${name}: must be a 64-bit integer`);
  }
  return Number(value);
};

/** Milliseconds that `timeout` leaves for the answer; `undefined` without one. Throws a 400. */
export const timeoutOption = (query: URLSearchParams): number | undefined => {
  const text = query.get("timeout") ?? "";
  if (text === "") {
    return undefined;
  }
  const nanos = parseDuration(text);
  if (nanos === undefined) {
    throw badRequest(`invalid value ${jsonText(text)} for timeout: must be a duration such as 30s`);
  }
  const timeoutMs = Number(nanos) / 1e6;
  return timeoutMs > 0 ? timeoutMs : undefined;
};
