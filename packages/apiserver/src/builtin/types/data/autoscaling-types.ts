import type { TypeTable } from "../type-table.ts";

/** Types of autoscaling/v1; the notation is described at `TypeTable`. Source: Kubernetes 1.36. */
export const autoscalingTypes: TypeTable = {
  CrossVersionObjectReference: "@atomic; kind 1 string required; name 2 string required; apiVersion 3 string",
  HorizontalPodAutoscaler:
    "metadata 1 ObjectMeta; spec 2 HorizontalPodAutoscalerSpec required; status 3 HorizontalPodAutoscalerStatus",
  HorizontalPodAutoscalerSpec:
    "scaleTargetRef 1 CrossVersionObjectReference required; minReplicas 2 int32?; maxReplicas 3 int32 required; targetCPUUtilizationPercentage 4 int32?",
  HorizontalPodAutoscalerStatus:
    "observedGeneration 1 int64?; lastScaleTime 2 Time; currentReplicas 3 int32 required; desiredReplicas 4 int32 required; currentCPUUtilizationPercentage 5 int32?",
  Scale: "metadata 1 ObjectMeta; spec 2 ScaleSpec; status 3 ScaleStatus",
  ScaleSpec: "replicas 1 int32",
  ScaleStatus: "replicas 1 int32 required; selector 2 string",
};
