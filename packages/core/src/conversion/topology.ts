import { type Move, deletionMoves, each, fields } from "@capstan/kit/admission";
import { strategyMoves } from "./machine-deployment.ts";
import { healthCheckMoves } from "./machine-health-check.ts";

const variables = each(fields([], { older: ["definitionFrom"] }));

const partMoves: readonly Move[] = [...deletionMoves, ["variables.overrides", "variables.overrides", variables]];

const healthCheck = fields([["enable", "enabled"], ...healthCheckMoves]);

const healthCheckMove: Move = ["machineHealthCheck", "healthCheck", healthCheck];

const machineDeployment = fields([
  ...partMoves,
  healthCheckMove,
  ...strategyMoves,
  ["strategy.remediation.maxInFlight", "healthCheck.remediation.maxInFlight"],
]);

/** `spec.topology` of a Cluster. */
export const topologyShape = fields(
  [
    ["class", "classRef.name"],
    ["classNamespace", "classRef.namespace"],
    ["controlPlane", "controlPlane", fields([...partMoves, healthCheckMove])],
    ["workers.machineDeployments", "workers.machineDeployments", each(machineDeployment)],
    ["workers.machinePools", "workers.machinePools", each(fields(partMoves))],
    ["variables", "variables", variables],
  ],
  { older: ["rolloutAfter"] },
);
