import type { MachineDeployment, MachineSet } from "../api.ts";

export type MachineDeploymentPhase = "ScalingUp" | "ScalingDown" | "Running" | "Unknown";

/** The phase shown to people. `sets` is `undefined` when they could not be listed. */
export const machineDeploymentPhase = (
  { metadata, spec }: Pick<MachineDeployment, "metadata" | "spec">,
  sets: readonly MachineSet[] | undefined,
): MachineDeploymentPhase => {
  if (metadata.deletionTimestamp !== undefined) return "ScalingDown";
  if (sets === undefined || spec.replicas === undefined) return "Unknown";
  const present = sets.reduce((sum, { status }) => sum + (status?.replicas ?? 0), 0);
  if (present === spec.replicas) return "Running";
  return present < spec.replicas ? "ScalingUp" : "ScalingDown";
};
