import { cluster as clusterFields, conditionOf } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";

/** Returns whether the Cluster's control plane answers, or has once. */
export const isControlPlaneInitialized = (cluster: KubeObject): boolean =>
  conditionOf(cluster, "ControlPlaneInitialized")?.status === "True" ||
  clusterFields.controlPlaneInitialized.get(cluster) === true;
