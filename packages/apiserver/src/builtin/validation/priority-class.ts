import type { KubeObject } from "@capstan/schema";
import { type Causes, forbidden, oneOf } from "./causes.ts";

/** Those of Kubernetes itself lie above. */
const highestPriority = 1_000_000_000;

const systemPriorities: Readonly<Record<string, number>> = {
  "system-cluster-critical": 2_000_000_000,
  "system-node-critical": 2_000_001_000,
};

export const priorityClassCauses = (object: KubeObject): Causes => {
  const { name = "" } = object.metadata;
  const value = Number(object["value"]);
  const isKnown = systemPriorities[name] === value;
  return [
    ...(name.startsWith("system-") && !isKnown
      ? [forbidden("metadata.name", "priority class names with 'system-' prefix are reserved for system use only")]
      : []),
    ...(value > highestPriority && !isKnown
      ? [forbidden("value", `maximum allowed value of a user defined priority is ${highestPriority}`)]
      : []),
    ...oneOf("preemptionPolicy", object["preemptionPolicy"], ["Never", "PreemptLowerPriority"]),
  ];
};
