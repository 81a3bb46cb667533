import type { Machine } from "../api.ts";

export type MachinePhase = "Pending" | "Provisioning" | "Provisioned" | "Running" | "Updating" | "Deleting";

/** The phase shown to people. No controller decides by it. */
export const machinePhase = (
  { metadata, spec, status }: Pick<Machine, "metadata" | "spec" | "status">,
  updating = false,
): MachinePhase => {
  if (metadata.deletionTimestamp !== undefined) return "Deleting";
  if (updating) return "Updating";
  const provisioned = status?.initialization?.infrastructureProvisioned === true;
  if (status?.nodeRef !== undefined && provisioned) return "Running";
  if (spec.providerID !== undefined) return "Provisioned";
  return status?.initialization?.bootstrapDataSecretCreated === true && !provisioned ? "Provisioning" : "Pending";
};
