import { findCondition } from "@capstan/kit/machines";
import { isBeingDeleted } from "@capstan/kube-values";
import type { Cluster } from "../api.ts";
import { ClusterCondition } from "../api.ts";

const types = [ClusterCondition.available, ClusterCondition.controlPlaneInitialized, ClusterCondition.paused];

/**
 * Returns the part of a Cluster's status that other controllers act on. The counters of its Machines and the conditions that summarize them
 * change several times a second while it comes up.
 */
export const clusterNews = (cluster: Cluster): string => {
  const { failureDomains, initialization, phase } = cluster.status ?? {};
  const isTrue = types.map((type) => findCondition(cluster, type)?.status === "True");
  return JSON.stringify([failureDomains, initialization, phase, ...(isBeingDeleted(cluster) ? [] : isTrue)]);
};
