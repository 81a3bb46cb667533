import { Annotation, isCapstanError } from "@capstan/contract";
import type { ContractReference } from "@capstan/contract/wire";
import { mergePatchOf } from "@capstan/contract/patch";
import { keyOf } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { templateBody } from "../external/clone-template.ts";
import type { ExternalObject } from "../external/external-objects.ts";
import type { Applier } from "../objects/apply.ts";
import { createApplier } from "../objects/apply.ts";
import type { KnownKeys } from "../objects/field-ownership.ts";
import { machineBody, machineIdentity, metadataBody } from "./machine-body.ts";
import type { Machine } from "./machine.ts";
import { Machines } from "./machine.ts";
import type { Making } from "./maker.ts";
import { metadataManager } from "./maker.ts";

/** Objects that were correct when last compared; the same objects are not compared again. */
interface Synced {
  readonly said: string;
  readonly objects: readonly KubeObject[];
}

/** The state that the makers of one kind keep about the Machines that they hold to their templates. */
export interface MachineSync {
  /** Applies what a maker says about its Machines. */
  readonly machines: Applier;
  /** Applies what a maker says about the objects of its Machines. */
  readonly metadata: Applier;
  readonly synced: WeakMap<Machine, Synced>;
}

export const machineSync = (): MachineSync => ({
  machines: createApplier({ spec: ["minReadySeconds", "readinessGates", "taints", "deletion"] }),
  metadata: createApplier({ spec: [], createdPlainly: true }),
  synced: new WeakMap(),
});

/** Labels and annotations that a clone has from its template, and not from the maker. */
const templateKeys = (template: KubeObject | undefined): KnownKeys => {
  const metadata = template === undefined ? undefined : templateBody(template).metadata;
  return {
    labels: Object.keys(metadata?.labels ?? {}),
    annotations: [
      ...Object.keys(metadata?.annotations ?? {}),
      Annotation.clonedFromName,
      Annotation.clonedFromGroupKind,
    ],
  };
};

const isSame = (before: Synced | undefined, now: Synced): boolean =>
  before?.said === now.said &&
  before.objects.length === now.objects.length &&
  before.objects.every((object, index) => object === now.objects[index]);

/** Labels and annotations of one object follow those of the maker. */
const syncPart = async (
  { context, maker }: Making,
  { metadata }: MachineSync,
  { object, resource }: ExternalObject,
  known: KnownKeys,
): Promise<void> => {
  if (object.metadata.deletionTimestamp !== undefined) metadata.forget(object.metadata.uid ?? "");
  else await metadata.apply(context, resource, metadataManager(maker), object, metadataBody(maker, object), known);
};

/**
 * A Machine that is being deleted follows only what still matters to it: its timeouts and taints. What the maker does not state is left as
 * it is: people end a drain that hangs by a limit of the Machine's own.
 */
const syncLeaving = async ({ context, maker }: Making, sync: MachineSync, machine: Machine): Promise<Machine> => {
  sync.machines.forget(machine.metadata.uid ?? "");
  const { deletion, taints } = maker.settings;
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
  return context.client.patch(Machines, keyOf(machine), { type: "merge", body: { spec: difference } });
};

const keysOf = async (
  { context, externals, maker }: Making,
  template: ContractReference | undefined,
): Promise<KnownKeys> => {
  if (template === undefined) return templateKeys(undefined);
  return templateKeys((await externals.find(context, template, maker.object.metadata.namespace))?.object);
};

/** The templates that the objects of Machines were cloned from; `undefined` for objects without one. */
export interface PartTemplates {
  readonly bootstrap: ContractReference | undefined;
  readonly infrastructure: ContractReference | undefined;
}

/** One pass over the Machines of a maker. */
interface Pass {
  /** The input of the maker as a text; equal texts ask for the same result. */
  readonly said: string;
  readonly keys: { readonly bootstrap: KnownKeys; readonly infrastructure: KnownKeys };
}

/** The objects a Machine refers to; one that does not exist is left to its Machine. */
const partsOf = async (
  { context, externals }: Making,
  { metadata, spec }: Machine,
  { keys }: Pass,
): Promise<readonly { readonly external: ExternalObject; readonly known: KnownKeys }[]> => {
  const parts = [];
  for (const [reference, known] of [
    [spec.bootstrap.configRef, keys.bootstrap],
    [spec.infrastructureRef, keys.infrastructure],
  ] as const) {
    if (reference === undefined) continue;
    const external = await externals.find(context, reference, metadata.namespace);
    if (external !== undefined) parts.push({ external, known });
  }
  return parts;
};

const syncMachine = async (making: Making, sync: MachineSync, machine: Machine, pass: Pass): Promise<Machine> => {
  if (machine.metadata.deletionTimestamp !== undefined) return syncLeaving(making, sync, machine);
  const { context, maker } = making;
  const parts = await partsOf(making, machine, pass);
  const seen: Synced = { said: pass.said, objects: parts.map(({ external }) => external.object) };
  if (isSame(sync.synced.get(machine), seen)) return machine;
  const body = machineBody(maker, machineIdentity(machine, maker));
  const synced = await sync.machines.apply(context, Machines, maker.fieldManager, machine, body);
  for (const { external, known } of parts) await syncPart(making, sync, external, known);
  sync.synced.set(machine, seen);
  return synced;
};

/** Brings what the maker says, and can be changed in place, to every Machine and its objects. */
export const syncMachines = async (
  making: Making,
  sync: MachineSync,
  machines: readonly Machine[],
  templates: PartTemplates,
): Promise<readonly Machine[]> => {
  if (machines.length === 0) return machines;
  const { object, kind: _, ...says } = making.maker;
  const pass: Pass = {
    said: JSON.stringify([object.metadata.uid, says]),
    keys: {
      bootstrap: await keysOf(making, templates.bootstrap),
      infrastructure: await keysOf(making, templates.infrastructure),
    },
  };
  const synced: Machine[] = [];
  for (const machine of machines) {
    try {
      synced.push(await syncMachine(making, sync, machine, pass));
    } catch (error) {
      if (!isCapstanError(error, "kube.not_found") && !isCapstanError(error, "kube.conflict")) throw error;
      synced.push(machine);
    }
  }
  return synced;
};
