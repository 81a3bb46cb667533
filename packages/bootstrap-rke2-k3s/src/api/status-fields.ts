import { conditions, flagField, int64, legacyConditions, optional, textField } from "@capstan/schema";

export const observedGeneration = optional(
  int64({ description: "Generation of the object that the status describes." }),
);

/** Status fields of `v1beta1` RKE2 kinds and of all k3s kinds. */
export const legacyStatus = {
  ready: flagField("It is usable."),
  failureReason: textField("Terminal failure in one word, for programs."),
  failureMessage: textField("Terminal failure, for people."),
  conditions: optional(legacyConditions()),
  observedGeneration,
};

/** Conditions of contract v1beta2 in a status of v1beta1. */
export const newConditions = optional(conditions({ maxItems: 32 }));
