import { forbidden } from "@capstan/kit/admission";
import type { Cause } from "@capstan/schema";
import type { MachinePool } from "../api.ts";
import { machineTemplateCauses } from "./machine-set.ts";

/** Validates a MachinePool. */
export const validateMachinePool = (pool: MachinePool, old: MachinePool | undefined): readonly Cause[] => [
  ...machineTemplateCauses(pool, old),
  ...((pool.spec.template.spec.taints ?? []).length > 0
    ? [forbidden("spec.template.spec.taints", "the machines of a pool get no taints")]
    : []),
];
