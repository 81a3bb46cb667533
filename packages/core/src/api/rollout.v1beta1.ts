import { object, optional } from "@capstan/schema";
import { deletePolicy } from "./machine-set.v1beta1.ts";
import { maxInFlight, rollingUpdate, strategyType } from "./rollout.v1beta2.ts";

/** Rollout strategy that replaces old Machines, and the remediation of unhealthy ones. */
export const strategy = () =>
  object(
    {
      type: optional(strategyType()),
      rollingUpdate: optional(
        object(
          { ...rollingUpdate(), deletePolicy: optional(deletePolicy()) },
          { description: "Pace of a RollingUpdate." },
        ),
      ),
      remediation: optional(
        object({ maxInFlight: optional(maxInFlight()) }, { description: "How unhealthy Machines are replaced." }),
      ),
    },
    { description: "How Machines are replaced." },
  );
