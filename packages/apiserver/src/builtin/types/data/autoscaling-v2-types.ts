import type { TypeTable } from "../type-table.ts";

/** Types of autoscaling/v2; the notation is described at `TypeTable`. Source: Kubernetes 1.36. */
export const autoscalingV2Types: TypeTable = {
  ContainerResourceMetricSource: "name 1 string required; target 2 MetricTarget required; container 3 string required",
  ContainerResourceMetricStatus:
    "name 1 string required; current 2 MetricValueStatus required; container 3 string required",
  CrossVersionObjectReference: "kind 1 string required; name 2 string required; apiVersion 3 string",
  ExternalMetricSource: "metric 1 MetricIdentifier required; target 2 MetricTarget required",
  ExternalMetricStatus: "metric 1 MetricIdentifier required; current 2 MetricValueStatus required",
  HPAScalingPolicy: "type 1 string required; value 2 int32 required; periodSeconds 3 int32 required",
  HPAScalingRules:
    "selectPolicy 1 string?; policies 2 [HPAScalingPolicy]; stabilizationWindowSeconds 3 int32?; tolerance 4 Quantity",
  HorizontalPodAutoscaler:
    "metadata 1 ObjectMeta; spec 2 HorizontalPodAutoscalerSpec required; status 3 HorizontalPodAutoscalerStatus",
  HorizontalPodAutoscalerBehavior: "scaleUp 1 HPAScalingRules; scaleDown 2 HPAScalingRules",
  HorizontalPodAutoscalerCondition:
    "type 1 string required; status 2 string required; lastTransitionTime 3 Time; reason 4 string; message 5 string",
  HorizontalPodAutoscalerSpec:
    "scaleTargetRef 1 CrossVersionObjectReference required; minReplicas 2 int32?; maxReplicas 3 int32 required; metrics 4 [MetricSpec]; behavior 5 HorizontalPodAutoscalerBehavior",
  HorizontalPodAutoscalerStatus:
    "observedGeneration 1 int64?; lastScaleTime 2 Time; currentReplicas 3 int32; desiredReplicas 4 int32 required; currentMetrics 5 [MetricStatus]; conditions 6 [HorizontalPodAutoscalerCondition] map(type) patch(merge:type)",
  MetricIdentifier: "name 1 string required; selector 2 LabelSelector",
  MetricSpec:
    "type 1 string required; object 2 ObjectMetricSource; pods 3 PodsMetricSource; resource 4 ResourceMetricSource; external 5 ExternalMetricSource; containerResource 7 ContainerResourceMetricSource",
  MetricStatus:
    "type 1 string required; object 2 ObjectMetricStatus; pods 3 PodsMetricStatus; resource 4 ResourceMetricStatus; external 5 ExternalMetricStatus; containerResource 7 ContainerResourceMetricStatus",
  MetricTarget: "type 1 string required; value 2 Quantity; averageValue 3 Quantity; averageUtilization 4 int32?",
  MetricValueStatus: "value 1 Quantity; averageValue 2 Quantity; averageUtilization 3 int32?",
  ObjectMetricSource:
    "describedObject 1 CrossVersionObjectReference required; target 2 MetricTarget required; metric 3 MetricIdentifier required",
  ObjectMetricStatus:
    "metric 1 MetricIdentifier required; current 2 MetricValueStatus required; describedObject 3 CrossVersionObjectReference required",
  PodsMetricSource: "metric 1 MetricIdentifier required; target 2 MetricTarget required",
  PodsMetricStatus: "metric 1 MetricIdentifier required; current 2 MetricValueStatus required",
  ResourceMetricSource: "name 1 string required; target 2 MetricTarget required",
  ResourceMetricStatus: "name 1 string required; current 2 MetricValueStatus required",
};
