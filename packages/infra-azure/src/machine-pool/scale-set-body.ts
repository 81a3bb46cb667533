import { presentFields } from "@capstan/kube-values";
import { isJsonObject } from "@capstan/schema";
import type { AzureResource, ResourceBody } from "../cloud/azure-api.ts";
import type { DesiredExtension } from "../cloud/vm-extension.ts";
import { maxAddresses } from "../machine/interface-body.ts";
import type { PoolPlan } from "./pool-plan.ts";

type Json = Readonly<Record<string, unknown>>;

/** The network of Flexible sets is described in this version of the network's API. */
const networkApiVersion = "2020-11-01";
/** Windows adds six characters to it and allows fifteen. */
const windowsPrefixLength = 9;

/** One network card of every machine. */
export interface CardModel {
  readonly name: string;
  readonly subnet: string;
  readonly hasIPv6: boolean;
  readonly addresses: number;
  readonly isAccelerated: boolean;
  readonly pools: readonly string[];
}

export interface ScaleSetFacts {
  readonly capacity: number;
  /** The body of one machine alone, from which the model is taken. */
  readonly machine: ResourceBody;
  readonly cards: readonly CardModel[];
  readonly extensions: readonly DesiredExtension[];
  readonly tags: Readonly<Record<string, string>>;
}

const ipv6 = (subnet: string): Json => ({
  name: "ipConfigv6",
  properties: { primary: false, privateIPAddressVersion: "IPv6", subnet: { id: subnet } },
});

const card = ({ addresses, hasIPv6, isAccelerated, name, pools, subnet }: CardModel, index: number): Json => ({
  name,
  properties: {
    primary: index === 0,
    enableAcceleratedNetworking: isAccelerated,
    ipConfigurations: [
      ...Array.from({ length: Math.min(addresses, maxAddresses) }, (_, place) => ({
        name: `ipConfig${place}`,
        properties: presentFields({
          primary: place === 0,
          privateIPAddressVersion: "IPv4",
          subnet: { id: subnet },
          loadBalancerBackendAddressPools: place > 0 || pools.length === 0 ? undefined : pools.map((id) => ({ id })),
        }),
      })),
      ...(hasIPv6 ? [ipv6(subnet)] : []),
    ],
  },
});

const withoutName = ({ name: _name, ...disk }: Json): Json => disk;

/** Names of disks are Azure's to give. */
const storage = ({ dataDisks, osDisk, ...rest }: Json): Json =>
  presentFields({
    ...rest,
    osDisk: withoutName(osDisk as Json),
    dataDisks: (dataDisks as readonly Json[] | undefined)?.map(withoutName),
  });

const system = ({ computerName, ...rest }: Json, isWindows: boolean): Json => ({
  ...rest,
  computerNamePrefix: isWindows ? String(computerName).slice(0, windowsPrefixLength) : computerName,
});

const extension = ({ name, protectedSettings, publisher, settings, type, version }: DesiredExtension): Json => ({
  name,
  properties: presentFields({ publisher, type, typeHandlerVersion: version, settings, protectedSettings }),
});

/** Returns the profile that machines of the scale set are made from. */
const profile = ({ isFlexible, pool, spec }: PoolPlan, facts: ScaleSetFacts): Json => {
  const given = facts.machine["properties"] as Json;
  const { terminateNotificationTimeout: minutes } = pool.template;
  return presentFields({
    storageProfile: storage(given["storageProfile"] as Json),
    osProfile: system(given["osProfile"] as Json, spec.osDisk.osType.toLowerCase() === "windows"),
    networkProfile: {
      ...(isFlexible && { networkApiVersion }),
      networkInterfaceConfigurations: facts.cards.map(card),
    },
    diagnosticsProfile: given["diagnosticsProfile"],
    securityProfile: given["securityProfile"],
    priority: given["priority"],
    evictionPolicy: given["evictionPolicy"],
    billingProfile: given["billingProfile"],
    extensionProfile: facts.extensions.length === 0 ? undefined : { extensions: facts.extensions.map(extension) },
    scheduledEventsProfile:
      minutes === undefined
        ? undefined
        : { terminateNotificationProfile: { enable: true, notBeforeTimeout: `PT${minutes}M` } },
  });
};

const sku = ({ spec }: PoolPlan, capacity: number): Json => ({ name: spec.vmSize, tier: "Standard", capacity });

/** The body by which a scale set is made. */
export const scaleSetBody = (plan: PoolPlan, facts: ScaleSetFacts): ResourceBody => {
  const { isFlexible, place, pool, zones } = plan;
  const given = facts.machine["properties"] as Json;
  const faultDomains = pool.platformFaultDomainCount ?? (isFlexible ? 1 : undefined);
  return presentFields({
    location: place.spec.location,
    extendedLocation: place.spec.extendedLocation,
    tags: facts.tags,
    zones: zones.length === 0 ? undefined : zones,
    plan: facts.machine["plan"],
    identity: facts.machine["identity"],
    sku: sku(plan, facts.capacity),
    properties: presentFields({
      orchestrationMode: isFlexible ? "Flexible" : "Uniform",
      upgradePolicy: isFlexible ? undefined : { mode: "Manual" },
      overprovision: isFlexible ? undefined : false,
      singlePlacementGroup: false,
      zoneBalance: pool.zoneBalance,
      platformFaultDomainCount: faultDomains,
      additionalCapabilities: given["additionalCapabilities"],
      virtualMachineProfile: profile(plan, facts),
    }),
  });
};

/** The name and the number of machines that a scale set says of itself. */
export const skuOfSet = (set: AzureResource): { readonly name?: string; readonly capacity: number } => {
  const { sku: given } = set as { readonly sku?: unknown };
  const { capacity, name } = isJsonObject(given) ? given : {};
  return {
    ...(typeof name === "string" && { name }),
    capacity: typeof capacity === "number" ? capacity : 0,
  };
};

/** Who logs in is never changed; keys of the user's are. */
const changedSystem = ({ customData, linuxConfiguration }: Json, hasKey: boolean): Json =>
  presentFields({ customData, linuxConfiguration: hasKey ? linuxConfiguration : undefined });

/** The body by which what machines are made from is changed. How many there are stays, and so do tags of others. */
export const scaleSetChange = (plan: PoolPlan, facts: ScaleSetFacts, present: AzureResource): ResourceBody => {
  const whole = scaleSetBody(plan, facts);
  const { additionalCapabilities, virtualMachineProfile } = whole["properties"] as {
    readonly additionalCapabilities?: unknown;
    readonly virtualMachineProfile: Json;
  };
  const osProfile = changedSystem(virtualMachineProfile["osProfile"] as Json, (plan.spec.sshPublicKey ?? "") !== "");
  return presentFields({
    tags: { ...present.tags, ...facts.tags },
    identity: whole["identity"],
    sku: sku(plan, skuOfSet(present).capacity),
    properties: presentFields({
      additionalCapabilities,
      virtualMachineProfile: { ...virtualMachineProfile, osProfile },
    }),
  });
};

/** The body by which another number of machines is asked for, or the same once more. */
export const capacityChange = (plan: PoolPlan, capacity: number): ResourceBody => ({ sku: sku(plan, capacity) });
