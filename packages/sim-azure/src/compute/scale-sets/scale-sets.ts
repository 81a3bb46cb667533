import { text } from "@capstan/simulation";
import type { Change, ResourceKind } from "../../resources/resource-kind.ts";
import type { Json, StoredOperation, StoredResource } from "../../state.ts";
import type { World } from "../../world.ts";
import { identityOf, withoutSecrets } from "../start-vm.ts";
import { filledProfile } from "../vm-defaults.ts";
import { removeMember, scale, upgrade } from "./instances.ts";
import {
  type ExtensionModel,
  isFlexible,
  membersOf,
  modelOf,
  type ScaleSet,
  scaleSetType,
  setCapacity,
  skuOfSet,
} from "./scale-set.ts";
import { checkScaleSet } from "./scale-set-rules.ts";
import { scaleSetOuter, scaleSetProperties } from "./scale-set-shapes.ts";
import { waitFor } from "./settle.ts";

/** An extension of the model as answers show it. */
export const withoutProtectedSettings = ({ name, properties }: ExtensionModel): ExtensionModel => {
  const { protectedSettings: _, ...shown } = properties;
  return { name, properties: shown };
};

/** Takes what answers never show out of the model; what a change does not say of it stays. */
const hideSecrets = ({ resource, before }: Change<ScaleSet>): void => {
  const { virtualMachineProfile } = resource.properties;
  if (virtualMachineProfile === undefined) return;
  const { properties: profile, secrets } = withoutSecrets(virtualMachineProfile, false);
  const models = profile.extensionProfile?.extensions ?? [];
  const given = Object.fromEntries(
    models.flatMap(({ name, properties: { protectedSettings } }) =>
      protectedSettings === undefined || protectedSettings === null ? [] : [[name, protectedSettings]],
    ),
  );
  const extensions = models.map(withoutProtectedSettings);
  resource.secrets = {
    ...before?.secrets,
    ...secrets,
    extensions: { ...(before?.secrets?.["extensions"] as Json | undefined), ...given },
  };
  resource.properties = {
    ...resource.properties,
    virtualMachineProfile: {
      ...profile,
      ...(profile.extensionProfile === undefined
        ? {}
        : { extensionProfile: { ...profile.extensionProfile, extensions } }),
    },
  };
};

const prepare = (change: Change<ScaleSet>, world: World): void => {
  const { resource, before } = change;
  const { nextInstance } = before?.properties ?? {};
  const { virtualMachineProfile } = resource.properties;
  const orchestrationMode = resource.properties.orchestrationMode ?? before?.properties.orchestrationMode ?? "Uniform";
  resource.properties = {
    singlePlacementGroup: orchestrationMode === "Uniform",
    ...(orchestrationMode === "Uniform" ? { overprovision: true, doNotRunExtensionsOnOverprovisionedVMs: false } : {}),
    platformFaultDomainCount: orchestrationMode === "Uniform" ? 5 : 1,
    ...resource.properties,
    ...(virtualMachineProfile !== undefined && { virtualMachineProfile: filledProfile(virtualMachineProfile) }),
    orchestrationMode,
    ...(nextInstance === undefined ? {} : { nextInstance }),
  } as ScaleSet;
  const sku = skuOfSet(resource);
  if (sku !== undefined) {
    const capacity =
      (resource.outer["sku"] as { readonly capacity?: number }).capacity ?? skuOfSet(before ?? resource)?.capacity ?? 0;
    resource.outer = { ...resource.outer, sku: { tier: "Standard", ...(resource.outer["sku"] as Json), capacity } };
  }
  checkScaleSet(change, world);
  hideSecrets(change);
  const identity = identityOf(resource.outer["identity"], before?.outer["identity"], world);
  if (identity !== undefined) resource.outer = { ...resource.outer, identity };
};

const written = (
  { resource, before, fault }: Change<ScaleSet>,
  operation: StoredOperation | undefined,
  world: World,
): void => {
  if (operation === undefined || fault?.kind === "operation-failed") return;
  const there = membersOf(resource, world);
  const error = skuOfSet(resource) === undefined ? undefined : scale(resource, world);
  const { mode = "Manual" } = resource.properties.upgradePolicy ?? {};
  if (before !== undefined && mode !== "Manual" && modelOf(before) !== modelOf(resource)) {
    for (const machine of there.filter(({ state }) => state !== "Deleting")) upgrade(resource, machine, world);
  }
  if (error !== undefined) {
    world.operations.complete(operation.id, error);
    return;
  }
  const changed = membersOf(resource, world).filter(
    ({ id, state }) => state !== "Failed" || !there.some((each) => each.id === id),
  );
  waitFor(
    operation,
    changed.map(({ id }) => id),
    world,
  );
};

/** Scale sets: machines that are made like one model, in the set (Uniform) or as machines of their own (Flexible). */
export const scaleSets: ResourceKind<ScaleSet> = {
  type: scaleSetType,
  form: "compute",
  put: { created: 201, updated: 200, state: "Creating", asyncOperation: true },
  delete: { status: 202, asyncOperation: true, location: true },
  isPatched: true,
  preempts: true,
  query: {
    get: { $expand: text({ enum: ["userData"] }) },
    delete: { forceDeletion: text({ enum: ["true", "false"] }) },
  },
  outer: scaleSetOuter,
  properties: scaleSetProperties,
  durationMs: () => undefined,
  prepare,
  written,
  derived: ({ guid, created }) => ({
    uniqueId: guid,
    timeCreated: new Date(created).toISOString(),
    nextInstance: undefined,
  }),
  leaving: (resource, _query, world) => {
    setCapacity(resource, 0);
    for (const machine of membersOf(resource, world)) removeMember(machine, world);
    return true;
  },
  begun: (resource, operation, world) =>
    waitFor(
      operation,
      membersOf(resource, world).map(({ id }) => id),
      world,
    ),
  removed: (resource, world) => {
    // Instances that are part of it have gone with it.
    if (isFlexible(resource)) {
      for (const machine of membersOf(resource, world)) world.remove(machine as unknown as StoredResource);
    }
  },
};
