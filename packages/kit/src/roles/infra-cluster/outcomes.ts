import { observations } from "../../engine/observation.ts";
import type { ClusterFacts, ClusterObservation } from "./author.ts";

const outcomes = observations<ClusterFacts>();

/** Nothing of the cluster's infrastructure is there. */
export const absent = outcomes.absent;
/** Some of it is there, and something has still to happen. */
export const pending = outcomes.pending;
/** It is as it should be; with `step`, something about it still has to be put right. */
export const present = (parts: Parameters<typeof outcomes.present>[0] = {}): ClusterObservation =>
  outcomes.present(parts);
/** It will not come about by itself. */
export const failed = outcomes.failed;
/** It is being deleted. */
export const removing = outcomes.removing;
