import { type Fields, boolean, integer, json, list, object, text } from "@capstan/simulation";
import { extendedLocation, ref, zones } from "../resources/shapes.ts";
import { readOnly } from "../resources/writable.ts";

const storageType = text({
  enum: [
    "Standard_LRS",
    "Premium_LRS",
    "StandardSSD_LRS",
    "UltraSSD_LRS",
    "Premium_ZRS",
    "StandardSSD_ZRS",
    "PremiumV2_LRS",
  ],
});

const managedDisk = object({
  id: text(),
  storageAccountType: storageType,
  diskEncryptionSet: ref,
  securityProfile: object({
    securityEncryptionType: text({ enum: ["DiskWithVMGuestState", "VMGuestStateOnly", "NonPersistedTPM"] }),
    diskEncryptionSet: ref,
  }),
});

const caching = text({ enum: ["None", "ReadOnly", "ReadWrite"] });
const createOption = text({ enum: ["FromImage", "Empty", "Attach", "Copy", "Restore"] });
const deleteOption = text({ enum: ["Delete", "Detach"] });

/** The disk of the system. */
export const osDisk = object(
  {
    name: text({ max: 80 }),
    osType: text({ enum: ["Linux", "Windows"] }),
    createOption,
    diskSizeGB: { ...integer, min: 1, max: 4095 },
    caching,
    managedDisk,
    diffDiskSettings: object({
      option: text({ enum: ["Local"] }),
      placement: text({ enum: ["CacheDisk", "ResourceDisk", "NvmeDisk"] }),
    }),
    writeAcceleratorEnabled: boolean,
    deleteOption,
  },
  ["createOption"],
);

/** A disk beside that of the system. */
export const dataDisk = object(
  {
    lun: { ...integer, min: 0, max: 63 },
    name: text({ max: 80 }),
    createOption,
    diskSizeGB: { ...integer, min: 1, max: 65_536 },
    caching,
    managedDisk,
    toBeDetached: boolean,
    writeAcceleratorEnabled: boolean,
    deleteOption,
    diskIOPSReadWrite: readOnly,
    diskMBpsReadWrite: readOnly,
  },
  ["lun", "createOption"],
);

/** Fields of the OS profile in machines and in models of machines. */
export const systemProfile = {
  adminUsername: text({ min: 1, max: 64 }),
  adminPassword: text(),
  customData: text(),
  allowExtensionOperations: boolean,
  requireGuestProvisionSignal: boolean,
  secrets: list(object({ sourceVault: ref, vaultCertificates: readOnly })),
  linuxConfiguration: object({
    disablePasswordAuthentication: boolean,
    ssh: object({ publicKeys: list(object({ path: text(), keyData: text() })) }),
    provisionVMAgent: boolean,
    patchSettings: object({ patchMode: text(), assessmentMode: text() }),
    enableVMAgentPlatformUpdates: boolean,
  }),
  windowsConfiguration: object({
    provisionVMAgent: boolean,
    enableAutomaticUpdates: boolean,
    timeZone: text(),
    patchSettings: object({ patchMode: text(), assessmentMode: text(), enableHotpatching: boolean }),
    enableVMAgentPlatformUpdates: boolean,
  }),
} as const;

/** Reference to an image. */
export const imageReference = object({
  id: text(),
  publisher: text(),
  offer: text(),
  sku: text(),
  version: text(),
  communityGalleryImageId: text(),
  sharedGalleryImageId: text(),
  exactVersion: readOnly,
});

/** Fields that machines share with models of machines, except those of disks, systems and networks. */
export const commonProfile = {
  diagnosticsProfile: object({ bootDiagnostics: object({ enabled: boolean, storageUri: text() }) }),
  priority: text({ enum: ["Regular", "Low", "Spot"] }),
  evictionPolicy: text({ enum: ["Deallocate", "Delete"] }),
  billingProfile: object({ maxPrice: { type: "number" } }),
  securityProfile: object({
    encryptionAtHost: boolean,
    securityType: text({ enum: ["Standard", "TrustedLaunch", "ConfidentialVM"] }),
    uefiSettings: object({ secureBootEnabled: boolean, vTpmEnabled: boolean }),
  }),
  capacityReservation: object({ capacityReservationGroup: ref }),
  scheduledEventsProfile: object({
    terminateNotificationProfile: object({
      enable: boolean,
      notBeforeTimeout: text({ pattern: /^PT(?:[5-9]|1[0-5])M$/ }),
    }),
  }),
  licenseType: text(),
  userData: text(),
  timeCreated: readOnly,
} as const;

/** Allowed properties of a virtual machine. */
export const vmProperties = object(
  {
    hardwareProfile: object({ vmSize: text({ min: 1 }), vmSizeProperties: readOnly }, ["vmSize"]),
    storageProfile: object({
      imageReference,
      osDisk,
      dataDisks: list(dataDisk),
      diskControllerType: text({ enum: ["SCSI", "NVMe"] }),
    }),
    osProfile: object({ ...systemProfile, computerName: text({ min: 1 }) }),
    networkProfile: object(
      {
        networkInterfaces: list(
          object({ id: text({ min: 1 }), properties: object({ primary: boolean, deleteOption }) }, ["id"]),
        ),
      },
      ["networkInterfaces"],
    ),
    ...commonProfile,
    availabilitySet: ref,
    virtualMachineScaleSet: ref,
    proximityPlacementGroup: ref,
    host: ref,
    additionalCapabilities: object({ ultraSSDEnabled: boolean, hibernationEnabled: boolean }),
    extensionsTimeBudget: text(),
    platformFaultDomain: integer,
    vmId: readOnly,
    instanceView: readOnly,
    provisioningState: readOnly,
  },
  ["hardwareProfile", "storageProfile", "networkProfile"],
);

/** Purchase plan of a marketplace image. */
export const plan = object({ name: text(), publisher: text(), product: text(), promotionCode: text() }, [
  "name",
  "publisher",
  "product",
]);

/** Who machines act as. */
export const identity = object(
  {
    type: text({ enum: ["SystemAssigned", "UserAssigned", "SystemAssigned, UserAssigned", "None"] }),
    userAssignedIdentities: { type: "json" },
    principalId: readOnly,
    tenantId: readOnly,
  },
  ["type"],
);

/** Allowed fields of a virtual machine outside its properties. */
export const vmOuter = {
  zones,
  extendedLocation,
  plan,
  identity,
  resources: readOnly,
} as const;

/** Returns the allowed properties of an extension, for machines and for models of scale sets, with the fields in `own` added. */
export const extensionProperties = (own: Fields) =>
  object(
    {
      publisher: text({ min: 1 }),
      type: text({ min: 1 }),
      typeHandlerVersion: text({ min: 1 }),
      autoUpgradeMinorVersion: boolean,
      enableAutomaticUpgrade: boolean,
      suppressFailures: boolean,
      forceUpdateTag: text(),
      settings: { ...json, nullable: true },
      protectedSettings: { ...json, nullable: true },
      provisioningState: readOnly,
      ...own,
    },
    ["publisher", "type", "typeHandlerVersion"],
  );
