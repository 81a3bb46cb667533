import { MachinePoolResource, MachineResource, machinePool as poolFields, ownerOfKind } from "@capstan/contract/wire";
import type { Cache } from "@capstan/kube";
import type { KubeObject } from "@capstan/schema";
import { machineOfPool, owningPool, relationsOf, vanished } from "../relations.ts";

/** Whom a bootstrap config makes data for. */
export interface BootstrapOwner {
  /** The Machine, or what each machine of the pool is to be. */
  readonly machine: KubeObject;
  /** The MachinePool, where it is one. */
  readonly pool: KubeObject | undefined;
}

/** A MachinePool as one of its machines. Its data Secret may be that of the config it had before. */
const machineOf = (pool: KubeObject): KubeObject => {
  const { bootstrap: _, ...spec } = poolFields.machineSpec.get(pool) ?? {};
  return { ...machineOfPool(pool), spec };
};

/** The owner of a config, as far as it is there. */
export const bootstrapOwnerOf = (
  cache: Cache,
  object: KubeObject,
): { readonly owner: BootstrapOwner | undefined; readonly cluster: KubeObject | undefined } => {
  const { cluster, machine } = relationsOf(cache, object);
  if (machine !== undefined) return { owner: { machine, pool: undefined }, cluster };
  const pool = owningPool(cache, object);
  return { owner: pool === undefined ? undefined : { machine: machineOf(pool), pool }, cluster };
};

/** Stands for an owner that is gone already. */
export const vanishedOwner = (object: KubeObject): BootstrapOwner => {
  const reference = ownerOfKind(object, MachinePoolResource);
  if (reference === undefined) {
    return { machine: vanished(object, MachineResource, ownerOfKind(object, MachineResource)), pool: undefined };
  }
  const pool = vanished(object, MachinePoolResource, reference);
  return { machine: pool, pool };
};
