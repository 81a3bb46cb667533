import type { KubeObject } from "@capstan/schema";
import { specOf } from "../../values/object-parts.ts";
import { between, type Causes } from "./causes.ts";

export const autoscalerCauses = (object: KubeObject): Causes => {
  const { minReplicas, maxReplicas } = specOf(object);
  return [
    ...between("spec.minReplicas", minReplicas, 1),
    ...between("spec.maxReplicas", maxReplicas ?? 0, Math.max(1, Number(minReplicas ?? 1))),
  ];
};
