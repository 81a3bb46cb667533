import type { ClusterObservation } from "./author.ts";

type Facts<State extends ClusterObservation["state"]> = Omit<
  Extract<ClusterObservation, { readonly state: State }>,
  "state"
>;

/** Nothing of the cluster's infrastructure is there. */
export const absent = (): ClusterObservation => ({ state: "absent" });
/** Some of it is there, and something has still to happen. */
export const pending = (facts: Facts<"pending">): ClusterObservation => ({ state: "pending", ...facts });
/** It is as it should be; with `step`, something about it still has to be put right. */
export const present = (facts: Facts<"present"> = {}): ClusterObservation => ({ state: "present", ...facts });
/** It will not come about by itself. */
export const failed = (facts: Facts<"failed">): ClusterObservation => ({ state: "failed", ...facts });
