import { failure, fields, newerCounters, statusMoves, zeroCounters } from "@capstan/kit/admission";
import { machineTemplateSpec } from "./machine.ts";

const counters = ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"];

export const machineSetShape = fields(
  [
    ["spec.minReadySeconds", "spec.template.spec.minReadySeconds"],
    ["spec.deletePolicy", "spec.deletion.order"],
    ["spec.machineNamingStrategy", "spec.machineNaming"],
    ["spec.template.spec", "spec.template.spec", machineTemplateSpec],
    ...statusMoves([...failure, ...counters], newerCounters),
  ],
  { zeros: zeroCounters(["replicas", ...counters]) },
);
