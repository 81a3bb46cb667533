import type { Cluster } from "../api.ts";

/** Returns whether an object makes the control plane: one that is there, or one that a topology will bring. Without, its Machines stand alone. */
export const hasControlPlaneObject = ({ spec }: Pick<Cluster, "spec">): boolean =>
  spec.controlPlaneRef !== undefined || spec.topology !== undefined;
