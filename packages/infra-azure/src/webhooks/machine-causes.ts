import { forbidden, invalid, repeats, required, unchanged } from "@capstan/kit/admission";
import { type Cause, sameJson } from "@capstan/schema";
import type { DefaultedMachine } from "../machine/machine-defaults.ts";
import { plainNumber } from "../api/plain-number.ts";
import { ultraDisk } from "../machine/machine-defaults.ts";
import { interfaceCauses, interfaceChanges } from "./interface-causes.ts";
import { accessCauses } from "./machine-access-causes.ts";

type Disk = DefaultedMachine["dataDisks"][number];

const imageCauses = ({ image }: DefaultedMachine, path: string): readonly Cause[] => {
  if (image === undefined) return [];
  const { computeGallery, id, marketplace, sharedGallery } = image;
  const given = [id, marketplace, computeGallery, sharedGallery].filter((one) => one !== undefined && one !== "");
  const isHalf = ((computeGallery?.subscriptionID ?? "") === "") !== ((computeGallery?.resourceGroup ?? "") === "");
  return [
    ...(given.length === 1
      ? []
      : [invalid(path, given.length, "one of id, marketplace, computeGallery and sharedGallery")]),
    ...(computeGallery !== undefined && isHalf
      ? [
          invalid(
            `${path}.computeGallery`,
            computeGallery.gallery,
            "subscriptionID and resourceGroup, or neither of them",
          ),
        ]
      : []),
  ];
};

const osDiskCauses = ({ osDisk }: DefaultedMachine, path: string): readonly Cause[] => {
  const { diffDiskSettings, diskSizeGB, managedDisk, osType } = osDisk;
  const size = diskSizeGB !== undefined && (diskSizeGB < 1 || diskSizeGB > 2048);
  const type = managedDisk?.storageAccountType;
  return [
    ...(osType === "Linux" || osType === "Windows"
      ? []
      : [invalid(`${path}.osType`, osType, "must be Linux or Windows")]),
    ...(size ? [invalid(`${path}.diskSizeGB`, diskSizeGB, "must be from 1 to 2048")] : []),
    ...(managedDisk !== undefined && type === undefined
      ? [required(`${path}.managedDisk.storageAccountType`, "the type of the disk")]
      : []),
    ...(type === ultraDisk ? [invalid(`${path}.managedDisk.storageAccountType`, type, "is for data disks only")] : []),
    ...(diffDiskSettings !== undefined && managedDisk?.diskEncryptionSet !== undefined
      ? [forbidden(`${path}.managedDisk.diskEncryptionSet`, "an ephemeral disk has none")]
      : []),
  ];
};

const dataDiskCauses = (disks: readonly Disk[], path: string): readonly Cause[] => {
  const isLunRepeated = repeats(disks.map(({ lun }) => lun));
  const isNameRepeated = repeats(disks.map(({ nameSuffix }) => nameSuffix));
  return disks.flatMap(({ cachingType, diskSizeGB, lun, managedDisk, nameSuffix }, index) => {
    const at = `${path}[${index}]`;
    const type = managedDisk?.storageAccountType;
    const isUltra = managedDisk?.storageAccountType === ultraDisk;
    return [
      ...(diskSizeGB < 4 || diskSizeGB > 32_767
        ? [invalid(`${at}.diskSizeGB`, diskSizeGB, "must be from 4 to 32767")]
        : []),
      ...(lun < 0 || lun > 63 ? [invalid(`${at}.lun`, lun, "must be from 0 to 63")] : []),
      ...(isLunRepeated[index] === true ? [invalid(`${at}.lun`, lun, "is also used by another disk")] : []),
      ...(isNameRepeated[index] === true
        ? [invalid(`${at}.nameSuffix`, nameSuffix, "is also used by another disk")]
        : []),
      ...(managedDisk !== undefined && type === undefined
        ? [required(`${at}.managedDisk.storageAccountType`, "the type of the disk")]
        : []),
      ...(isUltra && cachingType !== "None"
        ? [invalid(`${at}.cachingType`, cachingType, "must be None for an ultra disk")]
        : []),
    ];
  });
};

const diagnosticsCauses = ({ diagnostics }: DefaultedMachine, path: string): readonly Cause[] => {
  const { storageAccountType, userManaged } = diagnostics?.boot ?? {};
  const field = `${path}.diagnostics.boot.userManaged`;
  if (storageAccountType === "UserManaged" && userManaged === undefined) {
    return [required(`${field}.storageAccountURI`, "the address of the storage account")];
  }
  const isForbidden = storageAccountType !== "UserManaged" && userManaged !== undefined;
  return isForbidden ? [forbidden(field, "only where storageAccountType is UserManaged")] : [];
};

const securityCauses = ({ osDisk, securityProfile }: DefaultedMachine, path: string): readonly Cause[] => {
  const encryption = osDisk.managedDisk?.securityProfile?.securityEncryptionType;
  if (encryption === undefined) return [];
  const { encryptionAtHost, securityType, uefiSettings } = securityProfile ?? {};
  const whole = encryption === "DiskWithVMGuestState";
  const field = `${path}.securityProfile`;
  return [
    ...(securityType === "ConfidentialVM"
      ? []
      : [invalid(`${field}.securityType`, securityType ?? "", "must be ConfidentialVM")]),
    ...(uefiSettings?.vTpmEnabled === true
      ? []
      : [invalid(`${field}.uefiSettings.vTpmEnabled`, false, "must be true")]),
    ...(whole && uefiSettings?.secureBootEnabled !== true
      ? [invalid(`${field}.uefiSettings.secureBootEnabled`, false, "must be true")]
      : []),
    ...(whole && encryptionAtHost === true ? [invalid(`${field}.encryptionAtHost`, true, "must be false")] : []),
  ];
};

/** Where ARM IDs have to point. */
const armId = (type: string): RegExp =>
  new RegExp(
    `^(?:azure://)?/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\\.Compute/${type}/[^/]+$`,
    "i",
  );

const placementCauses = (spec: DefaultedMachine, path: string): readonly Cause[] => {
  const { capacityReservationGroupID = "", osDisk, spotVMOptions, virtualMachineScaleSetID = "" } = spec;
  const isLost = osDisk.diffDiskSettings !== undefined && spotVMOptions?.evictionPolicy === "Deallocate";
  return [
    ...named(capacityReservationGroupID, "capacityReservationGroups", `${path}.capacityReservationGroupID`),
    ...named(virtualMachineScaleSetID, "virtualMachineScaleSets", `${path}.virtualMachineScaleSetID`),
    ...(isLost
      ? [invalid(`${path}.spotVMOptions.evictionPolicy`, "Deallocate", "must be Delete, since the disk is ephemeral")]
      : []),
    ...priceCauses(spotVMOptions?.maxPrice, `${path}.spotVMOptions.maxPrice`),
  ];
};

const named = (id: string, type: string, field: string): readonly Cause[] =>
  id === "" || armId(type).test(id) ? [] : [invalid(field, id, `must be the resource ID of one of ${type}`)];

/** -1 is the price of the size itself. */
const priceCauses = (quantity: string | number | undefined, field: string): readonly Cause[] => {
  const price = plainNumber(quantity);
  return price === undefined || price === -1 || price > 0
    ? []
    : [invalid(field, quantity, "must be more than 0, or -1")];
};

const extensionCauses = ({ disableExtensionOperations, vmExtensions = [] }: DefaultedMachine, path: string) => {
  const names = vmExtensions.map(({ name }) => name);
  const isRepeated = repeats(names);
  return [
    ...(disableExtensionOperations === true && names.length > 0
      ? [forbidden(path, "disableExtensionOperations is true")]
      : []),
    ...names.flatMap((name, index) =>
      isRepeated[index] === true ? [invalid(`${path}[${index}].name`, name, "is also used by another extension")] : [],
    ),
  ];
};

/** Validates the spec of a machine, or of a template at `path`. */
export const machineCauses = (
  spec: DefaultedMachine,
  { isTemplate = false, path = "spec" }: { readonly path?: string; readonly isTemplate?: boolean } = {},
): readonly Cause[] => [
  ...imageCauses(spec, `${path}.image`),
  ...osDiskCauses(spec, `${path}.osDisk`),
  ...dataDiskCauses(spec.dataDisks, `${path}.dataDisks`),
  ...accessCauses(spec, path, isTemplate),
  ...interfaceCauses(spec, path),
  ...placementCauses(spec, path),
  ...diagnosticsCauses(spec, path),
  ...securityCauses(spec, path),
  ...extensionCauses(spec, `${path}.vmExtensions`),
];

/** Fields whose changes have no effect on a machine, or are not a user's. */
const free = new Set([
  "providerID",
  "failureDomain",
  "additionalTags",
  "vmExtensions",
  "vmSize",
  "dnsServers",
  "additionalCapabilities",
]);
const once = new Set(["diagnostics", "disableVMBootstrapExtension"]);

/** Returns the refused changes to the spec of a machine. */
export const machineChanges = (before: DefaultedMachine, after: DefaultedMachine): readonly Cause[] => {
  const [old, now]: readonly Readonly<Record<string, unknown>>[] = [before, after];
  const names = new Set([...Object.keys(old!), ...Object.keys(now!)]);
  return [...names]
    .filter((name) => !free.has(name))
    .flatMap((name) => {
      const field = `spec.${name}`;
      if (name === "networkInterfaces") {
        return interfaceChanges(before.networkInterfaces, after.networkInterfaces, field);
      }
      if (once.has(name)) return unchanged(field, old![name], now![name]);
      return sameJson(old![name], now![name]) ? [] : [invalid(field, now![name] ?? null, "field is immutable")];
    });
};
