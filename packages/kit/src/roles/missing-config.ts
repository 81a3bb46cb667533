import { conditionOf } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { MachineCondition } from "../machines/condition-names.ts";

/** Returns core's error for a Machine whose bootstrap config does not exist; `undefined` if it exists. */
export const missingConfig = (machine: KubeObject): string | undefined => {
  const ready = conditionOf(machine, MachineCondition.bootstrapConfigReady);
  return ready?.reason === "ObjectDoesNotExist" ? ready.message : undefined;
};
