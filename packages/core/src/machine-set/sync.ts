import { mergePatchOf } from "@capstan/kube";
import { FieldManager, isCapstanError } from "@capstan/contract";
import type { ContractReference } from "@capstan/contract/wire";
import { Machine } from "../api.ts";
import { templateKeys } from "../external/template-keys.ts";
import type { KnownKeys } from "../object/apply.ts";
import { keyOf } from "../object/draft.ts";
import { machineBody, machineIdentity, metadataBody } from "./machine-body.ts";
import type { MachineSetScope } from "./scope.ts";

/** The clones of a Machine follow the labels and annotations of its set. One that does not exist is left to its Machine. */
const syncClone = async (
  scope: MachineSetScope,
  reference: ContractReference | undefined,
  known: KnownKeys,
): Promise<void> => {
  if (reference === undefined) return;
  const external = await scope.externals.find(scope.context, reference, scope.set.metadata.namespace);
  if (external === undefined) return;
  if (external.object.metadata.deletionTimestamp !== undefined) {
    scope.metadataApplier.forget(external.object.metadata.uid ?? "");
    return;
  }
  const body = metadataBody(scope.set, external.object);
  const manager = FieldManager.machineSetMetadata;
  await scope.metadataApplier.apply(scope.context, external.resource, manager, external.object, body, known);
};

/** A Machine that is being deleted follows only what still matters to it: its timeouts and taints. */
const syncLeaving = async (scope: MachineSetScope, machine: Machine): Promise<Machine> => {
  const { context, set } = scope;
  scope.machineApplier.forget(machine.metadata.uid ?? "");
  const { deletion, taints } = set.spec.template.spec;
  const wanted = {
    deletion: { ...machine.spec.deletion, ...deletion },
    ...(taints === undefined ? {} : { taints }),
  };
  const present = {
    deletion: machine.spec.deletion ?? {},
    ...(taints === undefined ? {} : { taints: machine.spec.taints }),
  };
  const difference = mergePatchOf(present, wanted);
  if (difference === undefined) return machine;
  return context.client.patch(Machine, keyOf(machine), { type: "merge", body: { spec: difference } });
};

interface CloneKeys {
  readonly bootstrap: KnownKeys;
  readonly infrastructure: KnownKeys;
}

const keysOf = async (scope: MachineSetScope, reference: ContractReference | undefined): Promise<KnownKeys> => {
  if (reference === undefined) return templateKeys(undefined);
  const template = await scope.externals.find(scope.context, reference, scope.set.metadata.namespace);
  return templateKeys(template?.object);
};

const syncMachine = async (scope: MachineSetScope, machine: Machine, keys: CloneKeys): Promise<Machine> => {
  if (machine.metadata.deletionTimestamp !== undefined) return syncLeaving(scope, machine);
  const body = machineBody(scope.set, machineIdentity(machine));
  const synced = await scope.machineApplier.apply(scope.context, Machine, FieldManager.machineSet, machine, body);
  await syncClone(scope, machine.spec.bootstrap.configRef, keys.bootstrap);
  await syncClone(scope, machine.spec.infrastructureRef, keys.infrastructure);
  return synced;
};

/** Brings what the set's template says, and can be changed in place, to every Machine and its objects. */
export const syncMachines = async (scope: MachineSetScope): Promise<void> => {
  if (scope.machines.length === 0) return;
  const { bootstrap, infrastructureRef } = scope.set.spec.template.spec;
  const keys: CloneKeys = {
    bootstrap: await keysOf(scope, bootstrap.configRef),
    infrastructure: await keysOf(scope, infrastructureRef),
  };
  const synced: Machine[] = [];
  for (const machine of scope.machines) {
    try {
      synced.push(await syncMachine(scope, machine, keys));
    } catch (error) {
      if (!isCapstanError(error, "kube.not_found") && !isCapstanError(error, "kube.conflict")) throw error;
      synced.push(machine);
    }
  }
  scope.machines = synced;
};
