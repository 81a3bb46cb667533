import { mergePatchOf } from "@capstan/kube";
import { FieldManager, isCapstanError } from "@capstan/contract";
import type { ContractReference } from "@capstan/contract/wire";
import type { ExternalObject } from "@capstan/kit/external";
import { keyOf } from "@capstan/kube-values";
import type { Result } from "@capstan/runtime";
import { Machine } from "../api.ts";
import { templateKeys } from "../external/template-keys.ts";
import type { KnownKeys } from "../object/field-ownership.ts";
import { machineBody, machineIdentity, metadataBody } from "./machine-body.ts";
import type { MachineSetScope, Synced } from "./scope.ts";

const isSame = (before: Synced | undefined, now: Synced): boolean =>
  before?.wish === now.wish &&
  before.objects.length === now.objects.length &&
  before.objects.every((object, index) => object === now.objects[index]);

/** Labels and annotations of one clone follow those of the set. */
const syncClone = async (scope: MachineSetScope, external: ExternalObject, known: KnownKeys): Promise<void> => {
  const { object, resource } = external;
  if (object.metadata.deletionTimestamp !== undefined) {
    scope.metadataApplier.forget(object.metadata.uid ?? "");
    return;
  }
  const manager = FieldManager.machineSetMetadata;
  await scope.metadataApplier.apply(scope.context, resource, manager, object, metadataBody(scope.set, object), known);
};

/**
 * A Machine that is being deleted follows only what still matters to it: its timeouts and taints. What the set does not state is left as
 * it is: people end a drain that hangs by a limit of the Machine's own.
 */
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

const keysOf = async (scope: MachineSetScope, reference: ContractReference | undefined): Promise<KnownKeys> => {
  if (reference === undefined) return templateKeys(undefined);
  const template = await scope.externals.find(scope.context, reference, scope.set.metadata.namespace);
  return templateKeys(template?.object);
};

/** One pass over the Machines of a set. */
interface Pass {
  /** What the set says, as a text: the same text asks for the same. */
  readonly wish: string;
  readonly keys: { readonly bootstrap: KnownKeys; readonly infrastructure: KnownKeys };
}

/** The objects a Machine refers to; one that does not exist is left to its Machine. */
const partsOf = async (
  scope: MachineSetScope,
  { spec }: Machine,
  { keys }: Pass,
): Promise<readonly { readonly external: ExternalObject; readonly known: KnownKeys }[]> => {
  const parts = [];
  for (const [reference, known] of [
    [spec.bootstrap.configRef, keys.bootstrap],
    [spec.infrastructureRef, keys.infrastructure],
  ] as const) {
    if (reference === undefined) continue;
    const external = await scope.externals.find(scope.context, reference, scope.set.metadata.namespace);
    if (external !== undefined) parts.push({ external, known });
  }
  return parts;
};

const syncMachine = async (scope: MachineSetScope, machine: Machine, pass: Pass): Promise<Machine> => {
  if (machine.metadata.deletionTimestamp !== undefined) return syncLeaving(scope, machine);
  const parts = await partsOf(scope, machine, pass);
  const seen: Synced = { wish: pass.wish, objects: parts.map(({ external }) => external.object) };
  if (isSame(scope.synced.get(machine), seen)) return machine;
  const body = machineBody(scope.set, machineIdentity(machine));
  const synced = await scope.machineApplier.apply(scope.context, Machine, FieldManager.machineSet, machine, body);
  for (const { external, known } of parts) await syncClone(scope, external, known);
  scope.synced.set(machine, seen);
  return synced;
};

/** Brings what the set's template says, and can be changed in place, to every Machine and its objects. */
export const syncMachines = async (scope: MachineSetScope): Promise<Result> => {
  if (scope.machines.length === 0) return {};
  const { metadata, spec } = scope.set;
  const { bootstrap, infrastructureRef } = spec.template.spec;
  const pass: Pass = {
    wish: JSON.stringify([metadata.uid, metadata.labels, spec.template]),
    keys: {
      bootstrap: await keysOf(scope, bootstrap.configRef),
      infrastructure: await keysOf(scope, infrastructureRef),
    },
  };
  const synced: Machine[] = [];
  for (const machine of scope.machines) {
    try {
      synced.push(await syncMachine(scope, machine, pass));
    } catch (error) {
      if (!isCapstanError(error, "kube.not_found") && !isCapstanError(error, "kube.conflict")) throw error;
      synced.push(machine);
    }
  }
  scope.machines = synced;
  return {};
};
