import { machine as machineFields } from "@capstan/contract/wire";
import type { BootstrapContext } from "@capstan/kit/bootstrap";
import type { KubeObject } from "@capstan/schema";

/** The version that the Machine asks for, or the pool for its machines, and where that stands. */
export const machineVersion = ({ machine, pool }: BootstrapContext<KubeObject>) => ({
  version: machineFields.version.get(machine),
  field: pool === undefined ? "Machine.spec.version" : "MachinePool.spec.template.spec.version",
});
