import { v1beta2 } from "@capstan/kit/machines";
import { enumOf, intOrString, object, optional, time } from "@capstan/schema";

/** Numbers of Machines that may be missing or surplus during a rollout. */
export const rollingUpdate = () => ({
  maxUnavailable: optional(
    intOrString({ description: "Machines, or percent rounded down, that may be missing; 0 when unset." }),
  ),
  maxSurge: optional(
    intOrString({ description: "Machines, or percent rounded up, that may be surplus; 1 when unset." }),
  ),
});

export const rolloutAfter = () =>
  time({ description: "After this time, Machines created before it are replaced even without a change." });

export const strategyType = () =>
  enumOf(["RollingUpdate", "OnDelete"], {
    description: "RollingUpdate: step by step. OnDelete: whenever the user deletes an old Machine.",
  });

/** When and how Machines are replaced. */
export const rollout = () =>
  object(
    {
      after: optional(rolloutAfter()),
      strategy: optional(
        object(
          {
            type: strategyType(),
            rollingUpdate: optional(
              object(rollingUpdate(), { description: "Pace of a RollingUpdate.", ...v1beta2.object }),
            ),
          },
          { description: "How old Machines are replaced.", ...v1beta2.object },
        ),
      ),
    },
    { description: "When and how Machines are replaced.", ...v1beta2.object },
  );

export const maxInFlight = () =>
  intOrString({
    description: "Unhealthy Machines, or percent rounded up, that may be replaced at the same time; all when unset.",
  });
