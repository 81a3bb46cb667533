import { createHash } from "node:crypto";
import { isWithin, same } from "../../resource-id.ts";
import type { Json, StoredResource } from "../../state.ts";
import type { World } from "../../world.ts";
import type { Extension } from "../extension-status.ts";
import { type ImageReference, isMachine, type Vm, type VmDisk, vmType } from "../../vm.ts";

interface Id {
  readonly id: string;
}

/** A network card as the model of a scale set describes it. */
export interface CardModel {
  readonly name: string;
  readonly properties: Json & {
    readonly primary?: boolean;
    readonly ipConfigurations: readonly {
      readonly name: string;
      readonly properties: Json & {
        readonly subnet?: Id;
        readonly publicIPAddressConfiguration?: {
          readonly name: string;
          readonly properties?: Json;
          readonly sku?: Json;
        };
      };
    }[];
  };
}

/** An extension as the model of a scale set describes it. */
export interface ExtensionModel {
  readonly name: string;
  readonly properties: Extension & {
    readonly protectedSettings?: Json;
    readonly provisionAfterExtensions?: readonly string[];
  };
}

/** Model that new instances are created from. */
export interface Profile {
  readonly storageProfile?: {
    readonly imageReference?: ImageReference;
    readonly osDisk: VmDisk;
    readonly dataDisks?: readonly VmDisk[];
  };
  readonly osProfile?: Omit<NonNullable<Vm["osProfile"]>, "computerName"> & { readonly computerNamePrefix?: string };
  readonly networkProfile?: { readonly networkInterfaceConfigurations?: readonly CardModel[] };
  readonly extensionProfile?: { readonly extensions?: readonly ExtensionModel[] };
  readonly diagnosticsProfile?: NonNullable<Vm["diagnosticsProfile"]>;
  readonly priority?: string;
  readonly evictionPolicy?: string;
}

/** The part of a scale set that is looked at here. */
export interface ScaleSet {
  readonly orchestrationMode?: "Uniform" | "Flexible";
  readonly upgradePolicy?: { readonly mode?: "Manual" | "Automatic" | "Rolling" };
  readonly platformFaultDomainCount?: number;
  readonly scaleInPolicy?: { readonly rules?: readonly string[] };
  readonly virtualMachineProfile?: Profile;
  readonly additionalCapabilities?: NonNullable<Vm["additionalCapabilities"]>;
  /** Number of the next instance; answers do not show it. */
  readonly nextInstance?: number;
}

/** An instance knows which model it was made like; answers do not show it. */
export interface Instance extends Vm {
  readonly model?: string;
}

export const scaleSetType = "Microsoft.Compute/virtualMachineScaleSets";
export const instanceType = `${scaleSetType}/virtualMachines`;

export const isFlexible = ({ properties }: StoredResource<ScaleSet>): boolean =>
  properties.orchestrationMode === "Flexible";

/** Size and number of the instances; `undefined` for a set that machines are only put into. */
export const skuOfSet = ({
  outer,
}: StoredResource<ScaleSet>): { readonly name: string; readonly capacity: number } | undefined => {
  const sku = outer["sku"] as { readonly name?: string; readonly capacity?: number } | undefined;
  return sku?.name === undefined ? undefined : { name: sku.name, capacity: sku.capacity ?? 0 };
};

/** Says how many instances there are to be. */
export const setCapacity = (set: StoredResource<ScaleSet>, capacity: number): void => {
  const sku = set.outer["sku"] as Json | undefined;
  if (sku !== undefined) set.outer = { ...set.outer, sku: { ...sku, capacity: Math.max(0, capacity) } };
};

/** Returns a hash of the model of a scale set: equal for equal models. */
export const modelOf = (set: StoredResource<ScaleSet>): string =>
  createHash("sha256")
    .update(JSON.stringify([skuOfSet(set)?.name, set.properties.virtualMachineProfile, set.secrets]))
    .digest("hex")
    .slice(0, 16);

/** The machines of a scale set. */
export const membersOf = (
  set: StoredResource<ScaleSet>,
  { state }: Pick<World, "state">,
): readonly StoredResource<Instance>[] =>
  state.resources.filter((each) =>
    each.type === instanceType
      ? isWithin(each.id, set.id)
      : each.type === vmType && same((each.properties as unknown as Vm).virtualMachineScaleSet?.id ?? "", set.id),
  ) as unknown as readonly StoredResource<Instance>[];

/** The scale set that a machine is in. */
export const setOf = (
  machine: StoredResource<Vm>,
  { state }: Pick<World, "state">,
): StoredResource<ScaleSet> | undefined => {
  if (!isMachine(machine)) return undefined;
  const id =
    machine.type === instanceType
      ? machine.id.replace(/\/virtualMachines\/[^/]+$/i, "")
      : (machine.properties.virtualMachineScaleSet?.id ?? "");
  return state.resources.find((each) => same(each.id, id));
};

/** Returns the ID of an instance in requests: its number, or its name if it is a separate virtual machine. */
export const instanceIdOf = ({ id, name, type }: Pick<StoredResource, "id" | "name" | "type">): string =>
  type === instanceType ? (id.split("/").at(-1) ?? "") : name;
