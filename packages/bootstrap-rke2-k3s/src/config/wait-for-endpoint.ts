import { type BootstrapOutcome, waiting } from "@capstan/kit/bootstrap";
import { ConfigReason } from "../api/conditions.ts";

/** The Cluster has no endpoint yet; a change of it wakes the config. */
export const waitForEndpoint = (): BootstrapOutcome =>
  waiting({
    reason: ConfigReason.waitingForEndpoint,
    message: "waiting for Cluster.spec.controlPlaneEndpoint to be set",
  });
