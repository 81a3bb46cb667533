import type { PlanItemV1, PlannedMachineV1, PlannedResourceV1 } from "@capstan/contract/v1";
import { valueAt } from "@capstan/contract/wire";
import { shownOwner } from "@capstan/kit/engine";
import { isJsonObject } from "@capstan/schema";
import { nameOfId, resourceIdOf, resourceTypes } from "../arm/resource-id.ts";
import { AzureMachine as MachineKind, type AzureMachine } from "../api/azure-machine.v1beta1.ts";
import { powerOf } from "../bootstrap-check/failed-machine.ts";
import type { AzureResource } from "../cloud/azure-api.ts";
import { skuOf, type VirtualMachineSku } from "../cloud/skus.ts";
import { otherOwner } from "../cluster/belonging.ts";
import { refs, requiredSpec } from "../cluster/place.ts";
import { vmNameOf } from "../machine/machine-names.ts";
import type { Tags } from "../cluster/resource-tags.ts";
import { tagOf } from "../cluster/resource-tags.ts";
import type { DefaultedMachine } from "../machine/machine-defaults.ts";
import { defaultedMachine } from "../machine/machine-defaults.ts";
import { droppedTags } from "../machine/machine-tags.ts";
import { sizeProblem } from "../machine/size-check.ts";
import type { PlanEnvironment, Planned } from "./plan-environment.ts";
import { plannedPlace } from "./plan-environment.ts";
import { priceOfMachine } from "./prices.ts";

const type = "virtual machine";

const imageText = ({ image }: DefaultedMachine): string => {
  const { computeGallery, id, marketplace, sharedGallery } = image ?? {};
  if (id !== undefined && id !== "") return nameOfId(id);
  if (marketplace !== undefined) return [marketplace.offer, marketplace.sku, marketplace.version].join(":");
  const gallery = computeGallery ?? sharedGallery;
  return gallery === undefined ? "the image of its version" : `${gallery.name} ${gallery.version}`;
};

/** A machine in a few words. */
export const describeMachine = (spec: DefaultedMachine, location: string): string =>
  [
    `${spec.vmSize} in ${location}`,
    imageText(spec),
    ...(spec.spotVMOptions === undefined ? [] : ["spot"]),
    ...(spec.dataDisks.length === 0 ? [] : [`data disks: ${spec.dataDisks.length}`]),
    ...(spec.allocatePublicIP === true ? ["with a public address"] : []),
  ].join(", ");

/** Publishers whose images are an operating system and nothing else. */
const bare = /^(?:almalinux|canonical|debian|kinvolk|openlogic|redhat|rockylinux|suse)/i;

/**
 * Returns the facts known from the size and the image: the default image, that of the version, has Kubernetes; a bare operating system does
 * not. Neither has swap.
 */
const factsOf = ({ image }: DefaultedMachine, sku: VirtualMachineSku | undefined): PlannedMachineV1 => {
  const { marketplace } = image ?? {};
  const [cpus, gigabytes] = [sku?.capabilities["vCPUs"], sku?.capabilities["MemoryGB"]].map(Number);
  return {
    ...(image === undefined && { hasKubernetes: true }),
    ...(marketplace !== undefined && bare.test(marketplace.publisher) && { hasKubernetes: false }),
    ...(Number.isFinite(cpus) && { cpus }),
    ...(Number.isFinite(gigabytes) && { memoryMiB: Number(gigabytes) * 1024 }),
  };
};

const sizeOf = ({ properties }: AzureResource): string => {
  const hardware = properties?.["hardwareProfile"];
  return String((isJsonObject(hardware) ? hardware["vmSize"] : undefined) ?? "");
};

/** Returns differences from the spec that no controller corrects. */
const driftOf = ({ vmSize }: DefaultedMachine, vm: AzureResource): string | undefined => {
  const power = powerOf(vm);
  const size = sizeOf(vm);
  const differs = [
    ...(size.toLowerCase() === vmSize.toLowerCase() ? [] : [`size is ${size}, want ${vmSize}`]),
    ...(power === undefined || power === "running" || power === "starting" ? [] : [`it is ${power}`]),
  ];
  return differs.length === 0 ? undefined : differs.join("; ");
};

/** Tags of the spec as they will be. Those that every machine has do not change. */
const tagChanges = (machine: AzureMachine, additional: Tags, vm: AzureResource) => {
  const from = Object.fromEntries(Object.keys(additional).map((key) => [key, tagOf(vm, key)]));
  const isSame = Object.entries(additional).every(([key, value]) => tagOf(vm, key) === value);
  const dropped = droppedTags(machine, additional, vm);
  if (isSame && Object.keys(dropped).length === 0) return [];
  return [{ field: "tags", from: { ...from, ...dropped }, to: additional }];
};

/** The virtual machine of an AzureMachine that has one, by its provider id. */
const existing = async (
  item: PlanItemV1,
  id: string,
  environment: PlanEnvironment,
): Promise<PlannedResourceV1 | undefined> => {
  const { api, call, cluster } = environment;
  const before = item.before as AzureMachine;
  const location = cluster.spec?.location ?? "";
  const at = { object: before, type, name: nameOfId(id), count: 1 };
  const vm = await api.find({ ...resourceTypes.virtualMachine, id }, call, { $expand: "instanceView" });
  if (vm === undefined) {
    if (item.after === undefined) return undefined;
    return { ...at, action: "keep", drift: "it no longer exists and is not recreated" };
  }
  const present = { ...at, description: `${sizeOf(vm)} in ${location}` };
  if (item.after === undefined) {
    const going = priceOfMachine(defaultedMachine(requiredSpec(before)), location);
    return { ...present, action: "delete", ...(going && { price: going }) };
  }
  const after = item.after as AzureMachine;
  const spec = defaultedMachine(requiredSpec(after));
  const price = priceOfMachine(spec, location);
  const priced = { ...present, ...(price && { price }) };
  if (item.replaced) return { ...priced, action: "replace", description: describeMachine(spec, location) };
  const { tags } = plannedPlace(environment, after);
  const changes = tagChanges(before, { ...tags.additional, ...spec.additionalTags }, vm);
  const drift = driftOf(spec, vm);
  return {
    ...priced,
    action: changes.length > 0 ? "change" : "keep",
    ...(changes.length > 0 && { changes }),
    ...(drift !== undefined && { drift }),
  };
};

/** A new machine's name is that of a virtual machine that it could neither have nor make. */
const takenProblem = async (machine: AzureMachine, environment: PlanEnvironment): Promise<string | undefined> => {
  const { api, call } = environment;
  const place = plannedPlace(environment, machine);
  const name = vmNameOf(machine.metadata.name ?? "", defaultedMachine(requiredSpec(machine)).osDisk.osType);
  const present = await api.find(refs.virtualMachine(place, name), call);
  const owner = otherOwner(present, place.claim);
  if (owner === undefined) return undefined;
  const shown = shownOwner(owner, place.claim.owner.namespace);
  return `the virtual machine ${name} in the resource group ${place.spec.resourceGroup} belongs to ${shown}; rename the AzureMachine`;
};

/** The virtual machine of an AzureMachine, or those of a template. */
export const planMachine = async (item: PlanItemV1, environment: PlanEnvironment): Promise<Planned> => {
  const { api, call, cluster } = environment;
  const machine = (item.after ?? item.before) as AzureMachine | undefined;
  if (machine === undefined) return { resources: [], problems: [] };
  const providerID = item.before === undefined ? undefined : valueAt(item.before, "spec.providerID");
  const isNew = item.after !== undefined && (providerID === undefined || item.replaced);
  const spec = defaultedMachine(requiredSpec(machine));
  const { azureEnvironment = "", location = "" } = cluster.spec ?? {};
  const zone = spec.failureDomain === "" ? undefined : spec.failureDomain;
  const sku = isNew ? skuOf(await api.skus(location, call), spec.vmSize) : undefined;
  const problem = isNew ? sizeProblem(sku, { environment: azureEnvironment, location, spec, zone }) : undefined;
  const taken = isNew && machine.kind === MachineKind.kind ? await takenProblem(machine, environment) : undefined;
  const problems = [problem, taken].filter((each) => each !== undefined);
  if (typeof providerID === "string") {
    const planned = await existing(item, resourceIdOf(providerID), environment);
    return { resources: planned === undefined ? [] : [planned], problems };
  }
  if (item.after === undefined) return { resources: [], problems };
  const at = { object: machine, type, name: machine.metadata.name ?? "", count: item.count };
  const description = describeMachine(spec, location);
  const price = priceOfMachine(spec, location);
  const made = { ...at, action: "create", description, machine: factsOf(spec, sku), ...(price && { price }) } as const;
  return { resources: [made], problems };
};
