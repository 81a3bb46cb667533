import type { KubeObject } from "@capstan/schema";
import { jsonText, parseJson } from "@capstan/schema/structural";
import { changed, filled, listOf, type Part, partOf, specOf, statusOf } from "../../values/object-parts.ts";
import { autoscalerCauses } from "../validation/autoscaler.ts";
import { statusSubresource } from "./plain-behaviours.ts";
import type { KindBehaviour } from "./kind-behaviour.ts";

const [older, newer] = ["autoscaling/v1", "autoscaling/v2"];

const defaultUtilization = 80;

/** Returns the name of an annotation for data that autoscaling/v1 has no field for. */
const annotation = (name: string): string => `autoscaling.alpha.kubernetes.io/${name}`;

const kept = { metrics: "spec", behavior: "spec", conditions: "status", "current-metrics": "status" } as const;

type Kept = keyof typeof kept;

const isCpu = (metric: unknown): boolean => {
  const { type, resource } = partOf(metric);
  return type === "Resource" && partOf(resource)["name"] === "cpu";
};

const utilizationOf = (metrics: unknown, field: string): unknown =>
  partOf(partOf(partOf(listOf(metrics).find(isCpu))["resource"])[field])["averageUtilization"];

const cpuMetric = (field: string, value: Part): Part => ({
  type: "Resource",
  resource: { name: "cpu", [field]: value },
});

const withoutAbsent = (part: Part): Part =>
  Object.fromEntries(
    Object.entries(part).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
  );

const parsed = (text: string | undefined): unknown => {
  try {
    return text === undefined ? undefined : parseJson(text);
  } catch {
    return undefined;
  }
};

const withAnnotations = (object: KubeObject, values: Partial<Record<Kept, unknown>>): KubeObject["metadata"] => {
  const { annotations = {}, ...metadata } = object.metadata;
  const names = Object.keys(kept).map((name) => annotation(name));
  const others = Object.entries(annotations).filter(([name]) => !names.includes(name));
  const added = Object.entries(withoutAbsent(values)).map(([name, value]) => [annotation(name), jsonText(value)]);
  const all = [...others, ...added];
  return all.length === 0 ? metadata : { ...metadata, annotations: Object.fromEntries(all) };
};

const toOlder = (object: KubeObject): KubeObject => {
  const { metrics, behavior, ...spec } = specOf(object);
  const { currentMetrics, conditions, ...status } = statusOf(object);
  const utilization = utilizationOf(metrics, "target");
  const isSaid = (metric: unknown): boolean => isCpu(metric) && utilization !== undefined;
  return {
    ...object,
    apiVersion: older,
    metadata: withAnnotations(object, {
      metrics: listOf(metrics).filter((metric) => !isSaid(metric)),
      behavior,
      conditions,
      "current-metrics": listOf(currentMetrics).filter((metric) => !isCpu(metric)),
    }),
    spec: withoutAbsent({ ...spec, targetCPUUtilizationPercentage: utilization }),
    ...(object["status"] === undefined
      ? {}
      : {
          status: withoutAbsent({
            ...status,
            currentCPUUtilizationPercentage: utilizationOf(currentMetrics, "current"),
          }),
        }),
  };
};

const toNewer = (object: KubeObject): KubeObject => {
  const { targetCPUUtilizationPercentage: target, ...spec } = specOf(object);
  const { currentCPUUtilizationPercentage: current, ...status } = statusOf(object);
  const annotated = (name: Kept): unknown => parsed(object.metadata.annotations?.[annotation(name)]);
  const cpu = target === undefined ? [] : [cpuMetric("target", { type: "Utilization", averageUtilization: target })];
  const used = current === undefined ? [] : [cpuMetric("current", { averageUtilization: current })];
  return {
    ...object,
    apiVersion: newer,
    metadata: withAnnotations(object, {}),
    spec: withoutAbsent({
      ...spec,
      metrics: [...listOf(annotated("metrics")), ...cpu],
      behavior: annotated("behavior"),
    }),
    ...(object["status"] === undefined
      ? {}
      : {
          status: withoutAbsent({
            ...status,
            currentMetrics: [...listOf(annotated("current-metrics")), ...used],
            conditions: annotated("conditions"),
          }),
        }),
  };
};

const byPercent = { type: "Percent", value: 100, periodSeconds: 15 };

/** Fills the scaling rules of a `behavior` with their defaults. */
const withRules = (behavior: unknown): Part =>
  filled(
    changed(
      changed(partOf(behavior), "scaleUp", (rules) => filled(partOf(rules), scaleUpRules)),
      "scaleDown",
      (rules) => filled(partOf(rules), scaleDownRules),
    ),
    { scaleUp: scaleUpRules, scaleDown: scaleDownRules },
  );

const scaleUpRules = {
  stabilizationWindowSeconds: 0,
  selectPolicy: "Max",
  policies: [{ type: "Pods", value: 4, periodSeconds: 15 }, byPercent],
};

const scaleDownRules = { selectPolicy: "Max", policies: [byPercent] };

/** HorizontalPodAutoscalers: stored as autoscaling/v2, also served as v1. Nothing scales here. */
export const autoscalers: KindBehaviour = {
  applyDefaults: (object) => {
    const spec = changed(filled(specOf(object), { minReplicas: 1 }), "behavior", withRules);
    const isOld = object.apiVersion === older;
    const target = { type: "Utilization", averageUtilization: defaultUtilization };
    return {
      ...object,
      spec: isOld || listOf(spec["metrics"]).length > 0 ? spec : { ...spec, metrics: [cpuMetric("target", target)] },
    };
  },
  strategy: {
    generation: false,
    unconditionalUpdate: true,
    prepareForCreate: (object) => ({ ...object, status: { desiredReplicas: 0 } }),
    validate: autoscalerCauses,
    validateUpdate: (object, _old, _context, subresource) => (subresource === "" ? autoscalerCauses(object) : []),
  },
  subresources: [statusSubresource],
  storage: {
    store: "autoscaling/horizontalpodautoscalers",
    apiVersion: newer,
    toStorage: async (objects) => objects.map(toNewer),
    fromStorage: async (objects) => objects.map(toOlder),
    onRead: (object) => (object.apiVersion === older ? toNewer(object) : object),
  },
};
