import { controlPlaneConditions, conditionTypes } from "@capstan/contract/wire";

/** Condition types of a control plane. */
export const ControlPlaneCondition = conditionTypes(controlPlaneConditions);

const { available, initialized } = controlPlaneConditions;

/** Reasons of a control plane's conditions and Events, beside those of everything that has replicas. */
export const ControlPlaneReason = {
  ...available.reasons,
  ...initialized.reasons,
  healthy: "Healthy",
  notHealthy: "NotHealthy",
  healthUnknown: "HealthUnknown",
  reconciling: "Reconciling",
  waitingForEndpoint: "WaitingForEndpoint",
  waitingForReplacement: "WaitingForReplacement",
  waitingForQuorum: "WaitingForQuorum",
  waitingForMachineDeletion: "WaitingForMachineDeletion",
  waitingForWorkersDeletion: "WaitingForWorkersDeletion",
  /** On an Event. */
  adoptionFailed: "AdoptionFailed",
  cannotBeRemediated: "CannotBeRemediated",
  machineDeleting: "MachineDeleting",
  remediationDeferred: "RemediationDeferred",
} as const;
