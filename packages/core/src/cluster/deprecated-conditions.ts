import type { ConditionInput } from "@capstan/contract/wire";
import { controlPlane as controlPlaneFields, infraCluster, v1beta1Parts } from "@capstan/contract/wire";
import { isBeingDeleted } from "@capstan/kube-values";
import { clusterConditions, ClusterReason } from "../api.ts";
import { isSet, olderAfter, olderFalse, olderMirror, olderSummary, olderTrue } from "../older/summary.ts";
import { hasControlPlaneObject } from "./control-plane.ts";
import { splitMachines } from "./descendants.ts";
import type { ClusterScope } from "./scope.ts";

type Scope = Pick<ClusterScope, "cluster" | "descendants" | "infrastructure" | "controlPlane" | "deletion">;

const { deleting } = ClusterReason;

const infrastructureReady = ({ cluster, infrastructure, deletion }: Scope): readonly ConditionInput[] => {
  const type = clusterConditions.infrastructureReady.v1beta1;
  const leaving = isBeingDeleted(cluster);
  if (cluster.spec.infrastructureRef === undefined) {
    return leaving || cluster.spec.topology !== undefined ? [] : [olderTrue(type)];
  }
  if (infrastructure.state === "missing" && deletion?.reason === deleting.completed) {
    return [olderFalse(type, "Info", "Deleted")];
  }
  if (infrastructure.state !== "found") return [];
  const { object, contract } = infrastructure.external;
  const done = !leaving && isSet(infraCluster.for(contract).provisioned, object);
  return [olderMirror(type, object, { done, waiting: leaving ? "Deleting" : "WaitingForInfrastructure" })];
};

/** Reasons of a deletion that is past the control plane. */
const pastControlPlane: readonly string[] = [deleting.waitingForInfrastructureDeletion, deleting.completed];

const controlPlaneReady = ({ cluster, controlPlane, deletion }: Scope): readonly ConditionInput[] => {
  const type = clusterConditions.controlPlaneAvailable.v1beta1;
  if (controlPlane.state === "missing" && pastControlPlane.includes(deletion?.reason ?? "")) {
    return [olderFalse(type, "Info", "Deleted")];
  }
  if (controlPlane.state !== "found") return [];
  const { object, contract } = controlPlane.external;
  const leaving = isBeingDeleted(cluster);
  const done = !leaving && isSet(controlPlaneFields.for(contract).initialized, object);
  return [olderMirror(type, object, { done, waiting: leaving ? "Deleting" : "WaitingForControlPlane" })];
};

/** Once True it stays. */
const initialized = ({ cluster, controlPlane, descendants }: Scope): readonly ConditionInput[] => {
  const type = clusterConditions.controlPlaneInitialized.v1beta1;
  const present = cluster.status?.deprecated?.v1beta1?.conditions?.find((condition) => condition.type === type);
  if (present?.status === "True") return [];
  if (!hasControlPlaneObject(cluster)) {
    const machines = splitMachines(descendants.machines).controlPlane.filter((machine) => !isBeingDeleted(machine));
    return machines.some(({ status }) => status?.nodeRef !== undefined)
      ? [olderTrue(type)]
      : [
          olderFalse(
            type,
            "Info",
            "MissingNodeRef",
            "Waiting for the first control plane machine to have its status.nodeRef set",
          ),
        ];
  }
  if (controlPlane.state !== "found" || isBeingDeleted(controlPlane.external.object)) return [];
  const { object, contract } = controlPlane.external;
  const message = "Waiting for control plane provider to indicate the control plane has been initialized";
  return isSet(controlPlaneFields.for(contract).initialized, object)
    ? [olderTrue(type)]
    : [olderFalse(type, "Info", "WaitingForControlPlaneProviderInitialized", message)];
};

/** The conditions that clients of API version v1beta1 read; what nothing new is known of stays as it is. */
export const deprecatedClusterConditions = (scope: Scope): readonly ConditionInput[] => {
  const inputs = [...controlPlaneReady(scope), ...infrastructureReady(scope), ...initialized(scope)];
  const ready = olderSummary(olderAfter(scope.cluster, inputs, v1beta1Parts(clusterConditions)));
  return [...(ready === undefined ? [] : [ready]), ...inputs];
};
