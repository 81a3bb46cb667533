import { boolean, integer, json, list, object, text } from "@capstan/simulation";
import { extendedLocation, ref, refs, texts, zones } from "../../resources/shapes.ts";
import { readOnly } from "../../resources/writable.ts";
import {
  commonProfile,
  dataDisk,
  extensionProperties,
  identity,
  imageReference,
  osDisk,
  plan,
  systemProfile,
} from "../vm-shapes.ts";

const ipConfigurationModel = object(
  {
    name: text({ min: 1 }),
    id: readOnly,
    properties: object({
      subnet: ref,
      primary: boolean,
      privateIPAddressVersion: text({ enum: ["IPv4", "IPv6"] }),
      publicIPAddressConfiguration: object(
        {
          name: text({ min: 1 }),
          sku: object({ name: text(), tier: text() }),
          properties: object({
            idleTimeoutInMinutes: { ...integer, min: 4, max: 32 },
            dnsSettings: object({ domainNameLabel: text(), domainNameLabelScope: text() }),
            ipTags: list(object({ ipTagType: text(), tag: text() })),
            publicIPPrefix: ref,
            publicIPAddressVersion: text({ enum: ["IPv4", "IPv6"] }),
            deleteOption: text({ enum: ["Delete", "Detach"] }),
          }),
        },
        ["name"],
      ),
      loadBalancerBackendAddressPools: refs,
      loadBalancerInboundNatPools: refs,
      applicationGatewayBackendAddressPools: refs,
      applicationSecurityGroups: refs,
    }),
  },
  ["name", "properties"],
);

const cardModel = object(
  {
    name: text({ min: 1 }),
    id: readOnly,
    properties: object(
      {
        primary: boolean,
        enableAcceleratedNetworking: boolean,
        enableFpga: boolean,
        enableIPForwarding: boolean,
        disableTcpStateTracking: boolean,
        networkSecurityGroup: ref,
        dnsSettings: object({ dnsServers: texts }),
        deleteOption: text({ enum: ["Delete", "Detach"] }),
        auxiliaryMode: text(),
        auxiliarySku: text(),
        ipConfigurations: list(ipConfigurationModel),
      },
      ["ipConfigurations"],
    ),
  },
  ["name", "properties"],
);

/** Allowed properties of an extension in the model. */
export const modelExtensionProperties = extensionProperties({ provisionAfterExtensions: texts });

const extensionModel = object(
  { name: text({ min: 1 }), id: readOnly, type: readOnly, properties: modelExtensionProperties },
  ["name", "properties"],
);

const profile = object({
  ...commonProfile,
  storageProfile: object({
    imageReference,
    osDisk,
    dataDisks: list(dataDisk),
    diskControllerType: text({ enum: ["SCSI", "NVMe"] }),
  }),
  osProfile: object({ ...systemProfile, computerNamePrefix: text({ min: 1 }) }),
  networkProfile: object({
    networkApiVersion: text(),
    healthProbe: ref,
    networkInterfaceConfigurations: list(cardModel),
  }),
  extensionProfile: object({ extensions: list(extensionModel), extensionsTimeBudget: text() }),
  hardwareProfile: object({ vmSizeProperties: readOnly }),
  applicationProfile: readOnly,
});

/** Allowed properties of a scale set. */
export const scaleSetProperties = object({
  orchestrationMode: text({ enum: ["Uniform", "Flexible"] }),
  upgradePolicy: object({
    mode: text({ enum: ["Automatic", "Manual", "Rolling"] }),
    rollingUpgradePolicy: json,
    automaticOSUpgradePolicy: json,
  }),
  automaticRepairsPolicy: object({ enabled: boolean, gracePeriod: text(), repairAction: text() }),
  virtualMachineProfile: profile,
  overprovision: boolean,
  doNotRunExtensionsOnOverprovisionedVMs: boolean,
  singlePlacementGroup: boolean,
  zoneBalance: boolean,
  platformFaultDomainCount: { ...integer, min: 1, max: 5 },
  proximityPlacementGroup: ref,
  hostGroup: ref,
  additionalCapabilities: object({ ultraSSDEnabled: boolean, hibernationEnabled: boolean }),
  scaleInPolicy: object({ rules: list(text({ enum: ["Default", "OldestVM", "NewestVM"] })), forceDeletion: boolean }),
  spotRestorePolicy: object({ enabled: boolean, restoreTimeout: text() }),
  priorityMixPolicy: object({ baseRegularPriorityCount: integer, regularPriorityPercentageAboveBase: integer }),
  constrainedMaximumCapacity: boolean,
  uniqueId: readOnly,
  timeCreated: readOnly,
  provisioningState: readOnly,
});

/** Allowed fields of a scale set outside its properties. */
export const scaleSetOuter = {
  sku: object({
    name: text(),
    tier: text({ enum: ["Standard", "Basic"] }),
    capacity: { ...integer, min: 0, max: 1000 },
  }),
  zones,
  extendedLocation,
  plan,
  identity,
} as const;
