import { Annotation } from "@capstan/contract";
import type { MachinePool } from "../api.ts";

type Phase = NonNullable<NonNullable<MachinePool["status"]>["phase"]>;

/** Returns whether another user decides how many machines there are, such as an autoscaler of the cloud. */
const isReplicasManagedElsewhere = ({ metadata }: MachinePool): boolean => {
  const value = metadata.annotations?.[Annotation.replicasManagedBy];
  return value !== undefined && value !== "false";
};

/** The phase shown to people. No controller decides by it. */
export const machinePoolPhase = (pool: MachinePool): Phase => {
  const { metadata, spec, status } = pool;
  if (metadata.deletionTimestamp !== undefined) return "Deleting";
  const provisioned = status?.initialization?.infrastructureProvisioned === true;
  if (!provisioned) return status?.initialization?.bootstrapDataSecretCreated === true ? "Provisioning" : "Pending";
  const [wanted, present, ready] = [spec.replicas ?? 1, status?.replicas ?? 0, status?.readyReplicas ?? 0];
  if (present !== wanted && isReplicasManagedElsewhere(pool)) return "Scaling";
  if (present > wanted) return "ScalingDown";
  if (ready === wanted) return "Running";
  return present < wanted ? "ScalingUp" : "Provisioned";
};
