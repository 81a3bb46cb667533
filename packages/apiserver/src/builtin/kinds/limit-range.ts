import { changed, filled, listOf, type Part, partOf, specOf, withSpec } from "../../values/object-parts.ts";
import { canonicalAmounts } from "../../values/quantity.ts";
import { amounts, limitRangeCauses } from "../validation/limit-range.ts";
import type { KindBehaviour } from "./kind-behaviour.ts";

const unlessEmpty = (name: string, part: Part): Part => (Object.keys(part).length === 0 ? {} : { [name]: part });

/** For containers the limit is the maximum unless said otherwise, and the request the limit or the minimum. */
const withDefaults = (value: unknown): Part => {
  const limit = amounts.reduce<Part>((part, name) => changed(part, name, canonicalAmounts), partOf(value));
  if (limit["type"] !== "Container") {
    return limit;
  }
  const most = filled(partOf(limit["default"]), partOf(limit["max"]));
  const least = filled(filled(partOf(limit["defaultRequest"]), most), partOf(limit["min"]));
  return { ...limit, ...unlessEmpty("default", most), ...unlessEmpty("defaultRequest", least) };
};

/** LimitRanges: kept and checked; no one enforces them here. */
export const limitRanges: KindBehaviour = {
  applyDefaults: (object) =>
    withSpec(
      object,
      changed(specOf(object), "limits", (limits) => listOf(limits).map(withDefaults)),
    ),
  strategy: {
    generation: false,
    unconditionalUpdate: true,
    validate: limitRangeCauses,
    validateUpdate: (object) => limitRangeCauses(object),
  },
};
