import { boolean, conditions, list, map, object, optional, string, time } from "@capstan/schema";

/** `status.conditions` in the older form, as upstream's kinds have it. */
export const plainConditions = () =>
  list(
    object(
      {
        type: string({ description: "What the condition is about." }),
        status: string({ description: "True, False or Unknown." }),
        severity: optional(string({ description: "Error, Warning or Info; set only when the status is False." })),
        reason: optional(string({ description: "Why it has this status, in one word." })),
        message: optional(string({ description: "The same for people." })),
        lastTransitionTime: time({ description: "When the status last changed." }),
      },
      { description: "One observation about the object." },
    ),
    { description: "Observations about the object, one per type." },
  );

/** Returns the status fields of contract `v1beta2`. */
export const newerStatus = () => ({
  initialization: optional(
    object(
      {
        provisioned: optional(
          boolean({ description: "It exists and can be used (contract v1beta2). Never unset once true." }),
        ),
      },
      { description: "What has been reached once." },
    ),
  ),
  v1beta2: optional(object({ conditions: optional(conditions()) }, { description: "Fields of the v1beta2 contract." })),
});

/** `status.failureDomains` in the older form. */
export const failureDomainMap = () =>
  map(
    object(
      {
        attributes: optional(map(string({ description: "One value." }), { description: "Free attributes." })),
        controlPlane: optional(boolean({ description: "Suited to control-plane machines." })),
      },
      { description: "One failure domain." },
    ),
    { description: "Failure domains by name." },
  );

/** `metadata` of a template. */
export const templateMetadata = (kind: string) =>
  object(
    {
      labels: optional(map(string({ description: "One value." }), { description: "Labels." })),
      annotations: optional(map(string({ description: "One value." }), { description: "Annotations." })),
    },
    { description: `What the ${kind}s carry beside the labels and annotations of their owners.` },
  );
