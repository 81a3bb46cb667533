import type { KubeObject } from "@capstan/schema";
import type { KindBehaviour } from "../kind-behaviour.ts";
import { type Causes, invalid } from "./causes.ts";
import { changed, filled, listOf, type Part, partOf, specOf, withSpec } from "./object-parts.ts";
import { canonicalAmounts, millisOf } from "./quantity.ts";

const amounts = ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"];

/** For containers the limit is the maximum unless said otherwise, and the request the limit or the minimum. */
const withDefaults = (value: unknown): Part => {
  const limit = amounts.reduce<Part>((part, name) => changed(part, name, canonicalAmounts), partOf(value));
  if (limit["type"] !== "Container") {
    return limit;
  }
  const most = filled(partOf(limit["default"]), partOf(limit["max"]));
  const least = filled(filled(partOf(limit["defaultRequest"]), most), partOf(limit["min"]));
  return { ...limit, default: most, defaultRequest: least };
};

/** Pairs of which the first must not be more than the second. */
const orders = [
  ["min", "max"],
  ["defaultRequest", "default"],
  ["default", "max"],
  ["defaultRequest", "max"],
] as const;

const limitCauses = (value: unknown, field: string): Causes =>
  orders.flatMap(([lower, upper]) =>
    Object.entries(partOf(partOf(value)[lower])).flatMap(([name, amount]) => {
      const limit = partOf(partOf(value)[upper])[name];
      const [less, more] = [millisOf(amount), millisOf(limit)];
      return less !== undefined && more !== undefined && less > more
        ? [
            invalid(
              `${field}.${lower}[${name}]`,
              amount,
              `${lower} value is greater than ${upper} value ${String(limit)}`,
            ),
          ]
        : [];
    }),
  );

const validate = (object: KubeObject): Causes =>
  listOf(specOf(object)["limits"]).flatMap((limit, index) => limitCauses(limit, `spec.limits[${index}]`));

/** LimitRanges: kept and checked; nobody enforces them here. */
export const limitRanges: KindBehaviour = {
  applyDefaults: (object) =>
    withSpec(
      object,
      changed(specOf(object), "limits", (limits) => listOf(limits).map(withDefaults)),
    ),
  strategy: {
    generation: false,
    unconditionalUpdate: true,
    validate,
    validateUpdate: (object) => validate(object),
  },
};
