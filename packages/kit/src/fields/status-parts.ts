import { conditions, int64, legacyConditions, object, optional, string, text } from "@capstan/schema";
import type { Fields } from "@capstan/schema";
import { count } from "./machine-parts.ts";

/** Conditions, at most 32. */
export const statusConditions = () => conditions({ maxItems: 32 });

export const observedGeneration = () =>
  int64({ description: "Generation of the object that the status describes.", minimum: 1 });

/** Failure fields of the first API generation. */
export const legacyFailure = {
  failureReason: optional(string({ description: "Terminal failure in one word, for programs." })),
  failureMessage: optional(text(10_240, "Terminal failure, for people.")),
};

/** `status.deprecated.v1beta1`: what older clients still read. */
export const deprecatedStatus = <const F extends Fields>(fields: F) =>
  object(
    {
      v1beta1: optional(
        object(
          { conditions: optional(legacyConditions()), ...fields },
          { description: "Fields of API version v1beta1." },
        ),
      ),
    },
    { description: "Fields of API versions before this one." },
  );

/** Counters of a group of Machines. */
export const replicaCounters = {
  replicas: optional(count("Machines that exist.")),
  readyReplicas: optional(count("Machines that are Ready.")),
  availableReplicas: optional(count("Machines that are Available.")),
  upToDateReplicas: optional(count("Machines that match the desired state.")),
};

/** `status.selector` of the scale subresource. */
export const scaleSelector = () => text(4096, "The selector as text, for the scale subresource.");

/** `status.v1beta2` of a v1beta1 object: what newer clients read. */
export const newerStatus = <const F extends Fields>(fields: F) =>
  object({ conditions: optional(statusConditions()), ...fields }, { description: "Fields of API version v1beta2." });

/** `status.observedGeneration` of a v1beta1 object. */
export const looseObservedGeneration = () =>
  int64({ description: "Generation of the object that the status describes." });
