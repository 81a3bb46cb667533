import { text } from "@capstan/simulation";
import { same } from "../resource-id.ts";
import type { ResourceKind } from "../resources/resource-kind.ts";
import { shortageOf } from "./allocation.ts";
import { checkDiskNames, removeWith } from "./disks.ts";
import { instanceView } from "./instance-view.ts";
import { memberEnded, memberGone, memberMoves } from "./scale-sets/members.ts";
import { failVm, identityOf, startVm, stopVm, withoutSecrets } from "./start-vm.ts";
import { type Vm, vmType } from "../vm.ts";
import { filledVm, shownImage } from "./vm-defaults.ts";
import { checkVm } from "./vm-rules.ts";
import { vmOuter, vmProperties } from "./vm-shapes.ts";

/** Behaviour that virtual machines share with instances of scale sets. */
export const machineKind = {
  form: "compute",
  put: { created: 201, updated: 200, state: "Creating", asyncOperation: true, silentUpdates: true },
  delete: { status: 202, asyncOperation: true, location: true },
  properties: vmProperties,
  derived: ({ guid, created, properties: { storageProfile } }) => ({
    vmId: guid,
    timeCreated: new Date(created).toISOString(),
    model: undefined,
    storageProfile: { ...storageProfile, imageReference: shownImage(storageProfile.imageReference) },
  }),
  derivedOuter: ({ id }, world) => {
    const extensions = world.state.resources.filter((each) => each.id.startsWith(`${id}/extensions/`));
    return extensions.length === 0 ? {} : { resources: extensions.map((each) => ({ id: each.id })) };
  },
  expanded: (resource, { $expand: expand, statusOnly: status }, world) =>
    expand === "instanceView" || status === "true" ? { instanceView: instanceView(resource, world) } : {},
  durationMs: ({ before }, world) => (before === undefined ? undefined : world.delays.networkMs),
  leaving: (resource, _query, world) => {
    memberMoves(resource, -1, world);
    return stopVm(resource, world);
  },
  finished: (resource, error, world) => {
    if (error !== undefined) failVm(resource, error, world);
    memberEnded(resource, error, world);
  },
  removed: (resource, world) => {
    stopVm(resource, world);
    removeWith(resource, world);
    memberGone(resource, world);
  },
} as const satisfies Omit<ResourceKind<Vm>, "type">;

/** Virtual machines: each has an address of its own on this computer, and an inside that the guest plays. */
export const virtualMachines: ResourceKind<Vm> = {
  ...machineKind,
  type: vmType,
  isPatched: true,
  query: {
    get: { $expand: text({ enum: ["instanceView", "userData"] }) },
    delete: { forceDeletion: text({ enum: ["true", "false"] }) },
    list: { $filter: text(), $expand: text({ enum: ["instanceView"] }) },
    listAll: { statusOnly: text({ enum: ["true", "false"] }) },
  },
  filter: (filter) => {
    const [, set] = /^'?virtualMachineScaleSet\/id'? eq '([^']+)'$/i.exec(filter) ?? [];
    if (set === undefined) return undefined;
    return ({ properties }) => same(properties.virtualMachineScaleSet?.id ?? "", set);
  },
  outer: vmOuter,
  prepare: (change, world) => {
    const { resource, before } = change;
    resource.properties =
      before === undefined ? filledVm(resource.properties) : { ...before.properties, ...resource.properties };
    checkVm(change, world);
    if (before === undefined) checkDiskNames(resource, world);
    const { properties, secrets } = withoutSecrets(resource.properties);
    resource.properties = properties;
    resource.secrets = { ...resource.secrets, ...secrets };
    const identity = identityOf(resource.outer["identity"], before?.outer["identity"], world);
    if (identity !== undefined) resource.outer = { ...resource.outer, identity };
  },
  written: ({ resource, before }, operation, world) => {
    if (before !== undefined) return;
    memberMoves(resource, 1, world);
    const shortage = shortageOf(resource, world);
    if (shortage === undefined || operation === undefined) startVm(resource, world);
    else {
      operation.error ??= shortage;
      world.operations.finishAfter(operation.id, world.delays.provisionMs);
    }
  },
};
