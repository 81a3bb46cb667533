import type { Instance } from "@capstan/linode-client";

/** Meaning of an instance's state for its machine. */
export type InstancePhase =
  | "running"
  /** Off, and nothing under way: it waits for us, or someone switched it off. */
  | "offline"
  /** Something is under way that ends by itself. */
  | "changing"
  | "deleting"
  /** Only a user can help. */
  | "stopped";

const ownPhases = ["running", "offline", "deleting"] as const;

const changing = new Set([
  "booting",
  "busy",
  "cloning",
  "migrating",
  "provisioning",
  "rebooting",
  "rebuilding",
  "resizing",
  "restoring",
  "shutting_down",
]);

export const phaseOf = ({ status }: Pick<Instance, "status">): InstancePhase => {
  const own = ownPhases.find((phase) => phase === status);
  return own ?? (changing.has(status) ? "changing" : "stopped");
};

/** The state as a condition's reason: `billing_suspension` becomes `BillingSuspension`. */
export const stateReason = (status: string): string =>
  status
    .split("_")
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join("");
