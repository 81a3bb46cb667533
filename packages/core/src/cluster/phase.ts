import type { Cluster } from "../api.ts";
import { isValidEndpoint } from "@capstan/contract/wire";

export type ClusterPhase = "Pending" | "Provisioning" | "Provisioned" | "Deleting";

/** The phase shown to people. No controller decides by it. */
export const clusterPhase = ({
  metadata,
  spec,
  status,
}: Pick<Cluster, "metadata" | "spec" | "status">): ClusterPhase => {
  if (metadata.deletionTimestamp !== undefined) return "Deleting";
  if (status?.initialization?.infrastructureProvisioned === true && isValidEndpoint(spec.controlPlaneEndpoint)) {
    return "Provisioned";
  }
  return spec.infrastructureRef !== undefined || spec.controlPlaneRef !== undefined ? "Provisioning" : "Pending";
};
