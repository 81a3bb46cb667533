import {
  type Move,
  type Shape,
  fields,
  newerCounters,
  plainBool,
  statusMoves,
  zeroCounters,
} from "@capstan/kit/admission";
import { isJsonObject } from "@capstan/schema";
import { machineTemplateSpec } from "./machine.ts";

/** The older version lets the type be left out where it is the default. */
const strategy: Shape = {
  up: (value) => (isJsonObject(value) && !value["type"] ? { ...value, type: "RollingUpdate" } : value),
  down: (value) => value,
};

/** Moves of the rollout strategy in a MachineDeployment and in a topology. */
export const strategyMoves: readonly Move[] = [
  ["strategy", "rollout.strategy", strategy],
  ["strategy.rollingUpdate.deletePolicy", "deletion.order"],
];

const spec = fields(
  [
    ...strategyMoves,
    ["strategy.remediation", "remediation"],
    ["rolloutAfter", "rollout.after"],
    ["machineNamingStrategy", "machineNaming"],
    ["minReadySeconds", "template.spec.minReadySeconds"],
    ["template.spec", "template.spec", machineTemplateSpec],
    ["paused", "paused", plainBool],
  ],
  { older: ["revisionHistoryLimit", "progressDeadlineSeconds"], omits: ["paused"] },
);

const counters = ["updatedReplicas", "readyReplicas", "availableReplicas", "unavailableReplicas"];

export const machineDeploymentShape = fields([["spec", "spec", spec], ...statusMoves(counters, newerCounters)], {
  zeros: zeroCounters(["replicas", ...counters]),
});
