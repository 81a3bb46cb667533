import { boolean, integer, list, object, text } from "@capstan/simulation";
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

const osDisk = object(
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

const dataDisk = object(
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

const osProfile = object({
  computerName: text({ min: 1 }),
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
});

/** What may stand in the properties of a virtual machine. */
export const vmProperties = object(
  {
    hardwareProfile: object({ vmSize: text({ min: 1 }), vmSizeProperties: readOnly }, ["vmSize"]),
    storageProfile: object(
      {
        imageReference: object({
          id: text(),
          publisher: text(),
          offer: text(),
          sku: text(),
          version: text(),
          communityGalleryImageId: text(),
          sharedGalleryImageId: text(),
          exactVersion: readOnly,
        }),
        osDisk,
        dataDisks: list(dataDisk),
        diskControllerType: text({ enum: ["SCSI", "NVMe"] }),
      },
      ["osDisk"],
    ),
    osProfile,
    networkProfile: object(
      {
        networkInterfaces: list(
          object({ id: text({ min: 1 }), properties: object({ primary: boolean, deleteOption }) }, ["id"]),
        ),
      },
      ["networkInterfaces"],
    ),
    diagnosticsProfile: object({ bootDiagnostics: object({ enabled: boolean, storageUri: text() }) }),
    availabilitySet: ref,
    virtualMachineScaleSet: ref,
    proximityPlacementGroup: ref,
    host: ref,
    priority: text({ enum: ["Regular", "Low", "Spot"] }),
    evictionPolicy: text({ enum: ["Deallocate", "Delete"] }),
    billingProfile: object({ maxPrice: { type: "number" } }),
    securityProfile: object({
      encryptionAtHost: boolean,
      securityType: text({ enum: ["Standard", "TrustedLaunch", "ConfidentialVM"] }),
      uefiSettings: object({ secureBootEnabled: boolean, vTpmEnabled: boolean }),
    }),
    additionalCapabilities: object({ ultraSSDEnabled: boolean, hibernationEnabled: boolean }),
    capacityReservation: object({ capacityReservationGroup: ref }),
    extensionsTimeBudget: text(),
    licenseType: text(),
    platformFaultDomain: integer,
    userData: text(),
    vmId: readOnly,
    timeCreated: readOnly,
    instanceView: readOnly,
    provisioningState: readOnly,
  },
  ["hardwareProfile", "storageProfile", "networkProfile"],
);

/** What may stand beside them. */
export const vmOuter = {
  zones,
  extendedLocation,
  plan: object({ name: text(), publisher: text(), product: text(), promotionCode: text() }, [
    "name",
    "publisher",
    "product",
  ]),
  identity: object(
    {
      type: text({ enum: ["SystemAssigned", "UserAssigned", "SystemAssigned, UserAssigned", "None"] }),
      userAssignedIdentities: { type: "json" },
      principalId: readOnly,
      tenantId: readOnly,
    },
    ["type"],
  ),
  resources: readOnly,
} as const;
