import { refusal } from "../../arm/refusals.ts";
import type { Change } from "../../resources/resource-kind.ts";
import type { World } from "../../world.ts";
import type { Vm } from "../../vm.ts";
import { checkModel, checkQuota } from "../vm-rules.ts";
import { type ExtensionModel, isFlexible, membersOf, type ScaleSet, skuOfSet } from "./scale-set.ts";

const invalid = (message: string, target: string) => refusal(400, "InvalidParameter", message, target);

/** Refuses changes of properties that are immutable once a scale set has them. */
const checkFixed = ({ resource, before }: Change<ScaleSet>): void => {
  if (before === undefined) return;
  const fixed = ({ properties, outer }: typeof resource) =>
    [
      ["orchestrationMode", properties.orchestrationMode],
      ["zones", JSON.stringify(outer["zones"])],
      ["platformFaultDomainCount", properties.platformFaultDomainCount],
      ["priority", properties.virtualMachineProfile?.priority],
      ["computerNamePrefix", properties.virtualMachineProfile?.osProfile?.computerNamePrefix],
      ["adminUsername", properties.virtualMachineProfile?.osProfile?.adminUsername],
    ] as const;
  const had = fixed(before);
  for (const [index, [name, value]] of fixed(resource).entries()) {
    if (value === had[index]?.[1] || had[index]?.[1] === undefined) continue;
    throw refusal(409, "PropertyChangeNotAllowed", `Changing property '${name}' is not allowed.`, name);
  }
};

const checkExtensions = (models: readonly ExtensionModel[], os: string): void => {
  for (const [index, { name, properties }] of models.entries()) {
    const { publisher, type, provisionAfterExtensions = [] } = properties;
    const other = models
      .slice(0, index)
      .find((each) => each.properties.type === type && each.properties.publisher === publisher);
    if (other !== undefined) {
      throw refusal(
        400,
        "BadRequest",
        `Multiple VMExtensions per handler not supported for OS type '${os}'. VMExtension '${other.name}' with handler '${publisher}.${type}' already added or specified in input.`,
      );
    }
    const missing = provisionAfterExtensions.find((each) => !models.some((model) => model.name === each));
    if (missing === undefined) continue;
    throw invalid(
      `The extension '${name}' is to come after '${missing}', which is not there.`,
      "provisionAfterExtensions",
    );
  }
};

const checkCards = ({ resource }: Change<ScaleSet>): void => {
  const { networkProfile } = resource.properties.virtualMachineProfile ?? {};
  const cards = networkProfile?.networkInterfaceConfigurations ?? [];
  if (cards.length === 0) {
    throw invalid(
      "A scale set must have at least one network interface configuration.",
      "networkInterfaceConfigurations",
    );
  }
  const primaries = cards.filter(({ properties }) => properties.primary === true).length;
  if (cards.length > 1 && primaries !== 1) {
    throw invalid("One network interface configuration must be the primary one.", "networkInterfaceConfigurations");
  }
  const bare = cards.find(({ properties }) =>
    properties.ipConfigurations.some(({ properties: { subnet } }) => subnet === undefined),
  );
  if (bare !== undefined) {
    throw invalid(`The network interface configuration '${bare.name}' names no subnet.`, "subnet");
  }
  if (
    isFlexible(resource) &&
    (networkProfile as { readonly networkApiVersion?: string }).networkApiVersion === undefined
  ) {
    throw invalid(
      "The value of networkProfile.networkApiVersion must be set for scale sets with the orchestration mode Flexible.",
      "networkApiVersion",
    );
  }
};

/** The model as a change of a machine that is made like it. */
const asMachine = ({ resource, fault }: Change<ScaleSet>): Change<Vm> => {
  const { virtualMachineProfile = {}, additionalCapabilities } = resource.properties;
  const { storageProfile, osProfile, networkProfile: _, extensionProfile: __, ...rest } = virtualMachineProfile;
  const { computerNamePrefix = resource.name, ...system } = osProfile ?? {};
  const properties: Vm = {
    ...rest,
    hardwareProfile: { vmSize: skuOfSet(resource)?.name ?? "" },
    storageProfile: { osDisk: { createOption: "FromImage" }, ...storageProfile },
    ...(osProfile === undefined ? {} : { osProfile: { ...system, computerName: `${computerNamePrefix}000000` } }),
    networkProfile: {},
    ...(additionalCapabilities === undefined ? {} : { additionalCapabilities }),
  };
  return { resource: { ...resource, properties }, before: undefined, fault };
};

/** Everything that a scale set is refused for before anything is begun. */
export const checkScaleSet = (change: Change<ScaleSet>, world: World): void => {
  checkFixed(change);
  const { resource } = change;
  const { virtualMachineProfile, orchestrationMode, upgradePolicy, platformFaultDomainCount = 1 } = resource.properties;
  const sku = skuOfSet(resource);
  if (isFlexible(resource) && platformFaultDomainCount > 1 && resource.outer["zones"] !== undefined) {
    throw invalid(
      "platformFaultDomainCount must be 1 for zonal scale sets with the orchestration mode Flexible.",
      "platformFaultDomainCount",
    );
  }
  if (virtualMachineProfile === undefined) {
    if (isFlexible(resource) && sku === undefined) return;
    throw invalid("Required parameter 'virtualMachineProfile' is missing (null).", "virtualMachineProfile");
  }
  if (sku === undefined) throw invalid("Required parameter 'sku' is missing (null).", "sku");
  if (orchestrationMode === "Uniform" && upgradePolicy?.mode === undefined) {
    throw invalid("Required parameter 'upgradePolicy.mode' is missing (null).", "upgradePolicy");
  }
  const machine = asMachine(change);
  checkModel(machine, change.before?.secrets, world);
  checkCards(change);
  checkExtensions(
    virtualMachineProfile.extensionProfile?.extensions ?? [],
    machine.resource.properties.storageProfile.osDisk.osType ?? "Linux",
  );
  const members = membersOf(resource, world).filter(({ state }) => state !== "Deleting").length;
  checkQuota(sku.name, Math.max(0, sku.capacity - members), resource, world);
};
