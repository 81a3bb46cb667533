import { Group } from "@capstan/contract";
import { infraMachinePoolStatus, infraMachineStatus, providerIDList } from "@capstan/contract/v1";
import { contractLabel } from "@capstan/contract/wire";
import { kind, object, optional, string } from "@capstan/schema";

const version = "v1beta1";
const common = {
  group: Group.infrastructure,
  version,
  labels: { [contractLabel("v1beta2")]: version },
} as const;

/** A group of servers in memory. */
export const PooledMachinePool = kind({
  ...common,
  kind: "PooledMachinePool",
  plural: "pooledmachinepools",
  description: "A group of equal servers in the memory of a process, which backs one MachinePool.",
  spec: object({
    size: optional(string({ description: "Plan of the servers.", maxLength: 64 })),
    providerIDList: optional(providerIDList()),
  }),
  status: infraMachinePoolStatus({}),
});
export type PooledMachinePool = typeof PooledMachinePool.Type;

/** One server of a group. */
export const PooledMachine = kind({
  ...common,
  kind: "PooledMachine",
  plural: "pooledmachines",
  description: "One server of a group in the memory of a process, which backs one Machine of a MachinePool.",
  spec: object({
    providerID: optional(string({ description: "pooled://<group>/<id>; set by the controller.", maxLength: 512 })),
  }),
  status: infraMachineStatus({}),
});
export type PooledMachine = typeof PooledMachine.Type;
