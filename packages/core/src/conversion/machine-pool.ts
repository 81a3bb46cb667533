import { failure, fields, newerCounters, plainBool, statusMoves } from "@capstan/kit/admission";
import { machineTemplateSpec } from "./machine.ts";

export const machinePoolShape = fields([
  ["spec.minReadySeconds", "spec.template.spec.minReadySeconds"],
  ["spec.template.spec", "spec.template.spec", machineTemplateSpec],
  ["status.bootstrapReady", "status.initialization.bootstrapDataSecretCreated", plainBool],
  ["status.infrastructureReady", "status.initialization.infrastructureProvisioned", plainBool],
  ...statusMoves([...failure, "readyReplicas", "availableReplicas", "unavailableReplicas"], newerCounters),
]);
