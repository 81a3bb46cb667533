import { networkInterfaces } from "../../network/network-interfaces.ts";
import { publicIps } from "../../network/public-ips.ts";
import type { ResourceKind } from "../../resources/resource-kind.ts";
import { etagOf } from "../../resources/views.ts";
import { machineKind } from "../virtual-machines.ts";
import { vmExtensions } from "../vm-extensions.ts";
import { instanceAddressType, instanceCardType } from "./instance-cards.ts";
import { type Instance, instanceIdOf, instanceType, modelOf, setOf, skuOfSet } from "./scale-set.ts";

/** Instances of scale sets with the orchestration mode Uniform, which are parts of their set. */
export const instances: ResourceKind<Instance> = {
  ...machineKind,
  type: instanceType,
  derived: (machine, world) => {
    const set = setOf(machine, world);
    return {
      ...machineKind.derived(machine),
      resilientVMDeletionStatus: "Disabled",
      latestModelApplied: set !== undefined && machine.properties.model === modelOf(set),
      modelDefinitionApplied: "VirtualMachineScaleSet",
    };
  },
  derivedOuter: (machine, world) => {
    const set = setOf(machine, world);
    const sku = set === undefined ? undefined : skuOfSet(set);
    return {
      ...machineKind.derivedOuter(machine, world),
      instanceId: instanceIdOf(machine),
      etag: etagOf(machine),
      ...(sku === undefined ? {} : { sku: { name: sku.name, tier: "Standard" } }),
    };
  },
};

/** Kinds of the children of instances. They cannot be written at addresses of their own. */
export const instanceParts: readonly ResourceKind[] = [
  { ...networkInterfaces, type: instanceCardType },
  { ...publicIps, type: instanceAddressType },
  { ...vmExtensions, type: `${instanceType}/extensions` } as unknown as ResourceKind,
];
