import { duration, optional } from "@capstan/schema";
import type { Strictness } from "./machine-parts.ts";
import { gates, seconds } from "./machine-parts.ts";

/** Timeouts of a Machine's deletion. */
export const deletionTimeouts = {
  nodeDrainTimeoutSeconds: optional(seconds("How long draining may take; 0 or unset is without limit.")),
  nodeVolumeDetachTimeoutSeconds: optional(
    seconds("How long to wait for volumes to be detached; 0 or unset is without limit."),
  ),
  nodeDeletionTimeoutSeconds: optional(
    seconds("How long to try to delete the Node; 10 when unset, 0 is without limit."),
  ),
};

/** Timeouts of a Machine's deletion, of API version v1beta1, as Go durations. */
export const olderDeletionTimeouts = {
  nodeDrainTimeout: optional(duration({ description: "How long draining may take; 0s or unset is without limit." })),
  nodeVolumeDetachTimeout: optional(
    duration({ description: "How long to wait for volumes to be detached; 0s or unset is without limit." }),
  ),
  nodeDeletionTimeout: optional(
    duration({ description: "How long to try to delete the Node; 10s when unset, 0s is without limit." }),
  ),
};

export const readinessGates = (strictness: Strictness) =>
  gates(strictness, "Further conditions that must hold for the Machine to be Ready.");
