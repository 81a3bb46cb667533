import type { KindBehaviour } from "./kind-behaviour.ts";
import { invalid } from "../validation/causes.ts";
import { specOf } from "../../values/object-parts.ts";

export const leases: KindBehaviour = {
  strategy: {
    generation: false,
    createOnUpdate: true,
    validate: (object) => {
      const { leaseDurationSeconds: duration, leaseTransitions: transitions, holderIdentity } = specOf(object);
      return [
        ...(typeof duration === "number" && duration <= 0
          ? [invalid("spec.leaseDurationSeconds", duration, "must be greater than 0")]
          : []),
        ...(typeof transitions === "number" && transitions < 0
          ? [invalid("spec.leaseTransitions", transitions, "must be greater than or equal to 0")]
          : []),
        ...(holderIdentity === "" ? [invalid("spec.holderIdentity", "", "must not be empty")] : []),
      ];
    },
  },
};
