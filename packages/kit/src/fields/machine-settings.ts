import { duration, optional } from "@capstan/schema";
import type { Strictness } from "./machine-parts.ts";
import { gates, seconds } from "./machine-parts.ts";

/** Timeouts of a Machine's deletion. */
export const deletionTimeouts = {
  nodeDrainTimeoutSeconds: optional(seconds("How long draining may take; unlimited when 0 or unset.")),
  nodeVolumeDetachTimeoutSeconds: optional(
    seconds("How long to wait for volumes to be detached; unlimited when 0 or unset."),
  ),
  nodeDeletionTimeoutSeconds: optional(seconds("How long to try to delete the Node; 10 when unset, unlimited when 0.")),
};

/** Timeouts of a Machine's deletion, of API version v1beta1, as Go durations. */
export const olderDeletionTimeouts = {
  nodeDrainTimeout: optional(duration({ description: "How long draining may take; unlimited when 0s or unset." })),
  nodeVolumeDetachTimeout: optional(
    duration({ description: "How long to wait for volumes to be detached; unlimited when 0s or unset." }),
  ),
  nodeDeletionTimeout: optional(
    duration({ description: "How long to try to delete the Node; 10s when unset, unlimited when 0s." }),
  ),
};

export const readinessGates = (strictness: Strictness) =>
  gates(strictness, "Further conditions that must hold for the Machine to be Ready.");
