import type { TypeTable } from "../type-table.ts";

/** Types of batch/v1; the notation is described at `TypeTable`. Source: Kubernetes 1.36. */
export const batchTypes: TypeTable = {
  CronJob: "metadata 1 ObjectMeta; spec 2 CronJobSpec required; status 3 CronJobStatus",
  CronJobSpec:
    "schedule 1 string required; timeZone 8 string?; startingDeadlineSeconds 2 int64?; concurrencyPolicy 3 string; suspend 4 bool?; jobTemplate 5 JobTemplateSpec required; successfulJobsHistoryLimit 6 int32?; failedJobsHistoryLimit 7 int32?",
  CronJobStatus: "active 1 [core.ObjectReference]; lastScheduleTime 4 Time; lastSuccessfulTime 5 Time",
  Job: "metadata 1 ObjectMeta; spec 2 JobSpec; status 3 JobStatus",
  JobCondition:
    "type 1 string required; status 2 string required; lastProbeTime 3 Time; lastTransitionTime 4 Time; reason 5 string; message 6 string",
  JobSpec:
    "parallelism 1 int32?; completions 2 int32?; activeDeadlineSeconds 3 int64?; podFailurePolicy 11 PodFailurePolicy; successPolicy 16 SuccessPolicy; backoffLimit 7 int32?; backoffLimitPerIndex 12 int32?; maxFailedIndexes 13 int32?; selector 4 LabelSelector; manualSelector 5 bool?; template 6 core.PodTemplateSpec required; ttlSecondsAfterFinished 8 int32?; completionMode 9 string?; suspend 10 bool?; podReplacementPolicy 14 string?; managedBy 15 string?",
  JobStatus:
    "conditions 1 [JobCondition] patch(merge:type); startTime 2 Time; completionTime 3 Time; active 4 int32; succeeded 5 int32; failed 6 int32; terminating 11 int32?; completedIndexes 7 string; failedIndexes 10 string?; uncountedTerminatedPods 8 UncountedTerminatedPods; ready 9 int32?",
  JobTemplateSpec: "metadata 1 ObjectMeta; spec 2 JobSpec",
  PodFailurePolicy: "rules 1 [PodFailurePolicyRule] required",
  PodFailurePolicyOnExitCodesRequirement:
    "containerName 1 string?; operator 2 string required; values 3 [int32] required set",
  PodFailurePolicyOnPodConditionsPattern: "type 1 string required; status 2 string",
  PodFailurePolicyRule:
    "action 1 string required; onExitCodes 2 PodFailurePolicyOnExitCodesRequirement; onPodConditions 3 [PodFailurePolicyOnPodConditionsPattern]",
  SuccessPolicy: "rules 1 [SuccessPolicyRule] required",
  SuccessPolicyRule: "succeededIndexes 1 string?; succeededCount 2 int32?",
  UncountedTerminatedPods: "succeeded 1 [string] set; failed 2 [string] set",
};
