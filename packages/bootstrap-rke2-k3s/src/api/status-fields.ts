import {
  conditions,
  flagField,
  int32,
  int64,
  integer,
  legacyConditions,
  object,
  optional,
  string,
  textField,
  time,
} from "@capstan/schema";

export const observedGeneration = optional(
  int64({ description: "Generation of the object that the status describes." }),
);

export const count = (description: string) => optional(int32({ description }));

/** What older versions of RKE2's kinds and all of k3s's have. */
export const legacyStatus = {
  ready: flagField("It is usable."),
  failureReason: textField("Terminal failure in one word, for programs."),
  failureMessage: textField("Terminal failure, for people."),
  conditions: optional(legacyConditions()),
  observedGeneration,
};

/** Conditions of contract v1beta2 in a status of v1beta1. */
export const newConditions = optional(conditions({ maxItems: 32 }));

/** The last Machine that was replaced because it was unhealthy. */
export const lastRemediation = (flavor: "rke2" | "kthrees") =>
  optional(
    object(
      {
        machine: string({
          description: "Name of the Machine.",
          ...(flavor === "rke2" && { minLength: 1, maxLength: 253 }),
        }),
        timestamp: time({ description: "When it was replaced." }),
        retryCount: (flavor === "rke2" ? integer : int32)({
          description: "How often that was tried before without success.",
        }),
      },
      { description: "The last Machine that was replaced because it was unhealthy." },
    ),
  );
