import { ingressCauses } from "../validation/ingress.ts";
import { statusSubresource } from "./plain-behaviours.ts";
import type { KindBehaviour } from "./kind-behaviour.ts";

export const ingresses: KindBehaviour = {
  strategy: {
    unconditionalUpdate: true,
    prepareForCreate: (object) => ({ ...object, status: { loadBalancer: {} } }),
    validate: ingressCauses,
    validateUpdate: (object, _old, _context, subresource) => (subresource === "" ? ingressCauses(object) : []),
  },
  subresources: [statusSubresource],
};
