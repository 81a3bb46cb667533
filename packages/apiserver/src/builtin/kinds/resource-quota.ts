import { changed, specOf, withSpec } from "../../values/object-parts.ts";
import { canonicalAmounts } from "../../values/quantity.ts";
import { quotaCauses, quotaUpdateCauses } from "../validation/resource-quota.ts";
import { statusSubresource } from "./plain-behaviours.ts";
import type { KindBehaviour } from "./kind-behaviour.ts";

/** ResourceQuotas: kept and checked; no one enforces them here. */
export const resourceQuotas: KindBehaviour = {
  applyDefaults: (object) => withSpec(object, changed(specOf(object), "hard", canonicalAmounts)),
  strategy: {
    generation: false,
    unconditionalUpdate: true,
    prepareForCreate: (object) => ({ ...object, status: {} }),
    validate: quotaCauses,
    validateUpdate: (object, old, _context, subresource) =>
      subresource === "" ? [...quotaCauses(object), ...quotaUpdateCauses(object, old)] : [],
  },
  subresources: [statusSubresource],
};
