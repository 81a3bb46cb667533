import { conditionOf } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { MachineCondition } from "../machines/condition-names.ts";

/** What core says of a Machine whose bootstrap config does not exist; `undefined` where it does. */
export const missingConfig = (machine: KubeObject): string | undefined => {
  const ready = conditionOf(machine, MachineCondition.bootstrapConfigReady);
  return ready?.reason === "ObjectDoesNotExist" ? ready.message : undefined;
};
