import type { KubeObject } from "@capstan/schema";
import { specOf } from "../../values/object-parts.ts";
import { type Causes, invalid } from "./causes.ts";

export const leaseCauses = (object: KubeObject): Causes => {
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
};
