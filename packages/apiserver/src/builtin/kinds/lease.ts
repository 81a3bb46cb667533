import { leaseCauses } from "../validation/lease.ts";
import type { KindBehaviour } from "./kind-behaviour.ts";

export const leases: KindBehaviour = {
  strategy: {
    generation: false,
    createOnUpdate: true,
    validate: leaseCauses,
  },
};
