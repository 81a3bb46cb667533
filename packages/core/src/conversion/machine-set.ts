import { failure, fields, newerCounters, statusMoves } from "@capstan/kit/conversion";
import { machineTemplateSpec } from "./machine.ts";

/** Counters of the older version, which are there in any case. */
const counters = ["replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas"];

export const machineSetShape = fields(
  [
    ["spec.minReadySeconds", "spec.template.spec.minReadySeconds"],
    ["spec.deletePolicy", "spec.deletion.order"],
    ["spec.machineNamingStrategy", "spec.machineNaming"],
    ["spec.template.spec", "spec.template.spec", machineTemplateSpec],
    ...statusMoves([...failure, "fullyLabeledReplicas", "readyReplicas", "availableReplicas"], newerCounters),
  ],
  { zeros: { status: {}, ...Object.fromEntries(counters.map((name) => [`status.${name}`, 0])) } },
);
