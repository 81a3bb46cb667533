import {
  bootstrapConditions,
  certificatesAvailable,
  conditionReasons,
  conditionTable,
  conditionTypes,
} from "@capstan/contract/wire";

/** The conditions of a KubeadmConfig. */
export const kubeadmConfigConditions = conditionTable({ ...bootstrapConditions, certificatesAvailable });

/** Condition types of a KubeadmConfig. */
export const KubeadmConfigCondition = conditionTypes(kubeadmConfigConditions);

/** Reasons of a KubeadmConfig's conditions, by the type they belong to; errors have their own. */
export const KubeadmConfigReason = conditionReasons(kubeadmConfigConditions);
