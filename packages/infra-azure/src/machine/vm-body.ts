import { presentFields } from "@capstan/kube-values";
import { plainNumber } from "../api/plain-number.ts";
import { managedIdentityRef, resourceIdOf } from "../arm/resource-id.ts";
import type { ResourceBody } from "../cloud/azure-api.ts";
import type { VirtualMachineSku } from "../cloud/skus.ts";
import { imagePlan, imageReference } from "./image-reference.ts";
import type { ImageFacts } from "./image-reference.ts";
import type { DefaultedMachine } from "./machine-defaults.ts";
import { hasUltraDisk } from "./machine-defaults.ts";
import type { EdgeZone } from "./machine-plan.ts";
import { dataDiskName, osDiskName } from "./machine-names.ts";

type Json = Readonly<Record<string, unknown>>;
type ManagedDisk = NonNullable<DefaultedMachine["osDisk"]["managedDisk"]>;

const adminUser = "capi";

/** Facts about a virtual machine that its spec does not have. */
export interface VmFacts {
  readonly name: string;
  readonly location: string;
  /** The edge zone of the cluster. */
  readonly extendedLocation?: EdgeZone | undefined;
  /** True if it is made at an Azure Stack Hub, which keeps no boot diagnostics of its own. Default false. */
  readonly isStack?: boolean;
  readonly tags: Readonly<Record<string, string>>;
  readonly zone: string | undefined;
  readonly sku: Pick<VirtualMachineSku, "capabilities">;
  /** Base64. */
  readonly customData: string;
  /** Resource IDs, the primary first. */
  readonly networkInterfaces: readonly string[];
  readonly availabilitySet: string | undefined;
  readonly image: Omit<ImageFacts, "osType">;
  /** Line of authorized_keys; of Linux machines. */
  readonly sshKey: string;
  /** Password of Windows machines, known to no one. */
  readonly adminPassword: string;
}

/** An ID of the spec as Azure takes it; provider ids are taken for the IDs in them. */
const reference = (id = ""): Json | undefined => (id === "" ? undefined : { id: resourceIdOf(id) });

const managedDisk = (disk: ManagedDisk | undefined): Json | undefined => {
  if (disk === undefined) return undefined;
  const { diskEncryptionSet, securityProfile, storageAccountType } = disk;
  return presentFields({
    storageAccountType,
    diskEncryptionSet: reference(diskEncryptionSet?.id),
    securityProfile:
      securityProfile === undefined
        ? undefined
        : presentFields({
            securityEncryptionType: securityProfile.securityEncryptionType,
            diskEncryptionSet: reference(securityProfile.diskEncryptionSet?.id),
          }),
  });
};

/** Azure has ephemeral disks with this caching only, whatever the default of the field is. */
const osCaching = ({ cachingType, diffDiskSettings }: DefaultedMachine["osDisk"]): string =>
  diffDiskSettings !== undefined && cachingType === "None" ? "ReadOnly" : cachingType;

const storageProfile = ({ dataDisks, image, osDisk }: DefaultedMachine, { image: facts, name }: VmFacts): Json =>
  presentFields({
    imageReference: imageReference(image, { ...facts, osType: osDisk.osType }),
    osDisk: presentFields({
      name: osDiskName(name),
      osType: osDisk.osType,
      createOption: "FromImage",
      diskSizeGB: osDisk.diskSizeGB,
      caching: osCaching(osDisk),
      managedDisk: managedDisk(osDisk.managedDisk),
      diffDiskSettings: osDisk.diffDiskSettings,
    }),
    dataDisks:
      dataDisks.length === 0
        ? undefined
        : dataDisks.map((disk) =>
            presentFields({
              name: dataDiskName(name, disk.nameSuffix),
              createOption: "Empty",
              lun: disk.lun,
              diskSizeGB: disk.diskSizeGB,
              caching: disk.cachingType,
              managedDisk: managedDisk(disk.managedDisk),
            }),
          ),
  });

const osProfile = ({ disableExtensionOperations, osDisk }: DefaultedMachine, facts: VmFacts): Json => {
  const shared = {
    computerName: facts.name,
    adminUsername: adminUser,
    customData: facts.customData,
    allowExtensionOperations: disableExtensionOperations === true ? false : undefined,
  };
  if (osDisk.osType.toLowerCase() === "windows") {
    const windowsConfiguration = { enableAutomaticUpdates: false };
    return presentFields({ ...shared, adminPassword: facts.adminPassword, windowsConfiguration });
  }
  const publicKeys = [{ path: `/home/${adminUser}/.ssh/authorized_keys`, keyData: facts.sshKey }];
  return presentFields({
    ...shared,
    linuxConfiguration: { disablePasswordAuthentication: true, ssh: { publicKeys } },
  });
};

const spot = ({ spotVMOptions }: DefaultedMachine): Json => {
  if (spotVMOptions === undefined) return {};
  const { evictionPolicy, maxPrice } = spotVMOptions;
  return {
    priority: "Spot",
    evictionPolicy,
    ...(maxPrice !== undefined && { billingProfile: { maxPrice: plainNumber(maxPrice) } }),
  };
};

const bootDiagnostics = ({ diagnostics }: DefaultedMachine, isStack: boolean): Json => {
  const { storageAccountType = isStack ? "Disabled" : "Managed", userManaged } = diagnostics?.boot ?? {};
  if (storageAccountType === "Disabled") return { enabled: false };
  return { enabled: true, ...(userManaged !== undefined && { storageUri: userManaged.storageAccountURI }) };
};

const identity = ({ identity: type, userAssignedIdentities = [] }: DefaultedMachine): Json | undefined => {
  if (type === "None") return undefined;
  if (type === "SystemAssigned") return { type };
  const ids = userAssignedIdentities.map(({ providerID }) => [managedIdentityRef(providerID).id, {}] as const);
  return { type, userAssignedIdentities: Object.fromEntries(ids) };
};

const securityProfile = ({ securityProfile: profile }: DefaultedMachine): Json | undefined => {
  if (profile === undefined) return undefined;
  const { encryptionAtHost, securityType, uefiSettings } = profile;
  return presentFields({ encryptionAtHost, securityType, uefiSettings });
};

const ultraSSD = ({ additionalCapabilities, dataDisks }: DefaultedMachine): Json | undefined => {
  const enabled = additionalCapabilities?.ultraSSDEnabled ?? (hasUltraDisk({ dataDisks }) ? true : undefined);
  return enabled === undefined ? undefined : { ultraSSDEnabled: enabled };
};

const capacityReservation = ({ capacityReservationGroupID: id }: DefaultedMachine): Json | undefined => {
  const capacityReservationGroup = reference(id);
  return capacityReservationGroup === undefined ? undefined : { capacityReservationGroup };
};

/** The body by which a virtual machine is made. */
export const vmBody = (spec: DefaultedMachine, facts: VmFacts): ResourceBody =>
  presentFields({
    location: facts.location,
    extendedLocation: facts.extendedLocation,
    tags: facts.tags,
    zones: facts.zone === undefined ? undefined : [facts.zone],
    plan: imagePlan(spec.image),
    identity: identity(spec),
    properties: presentFields({
      hardwareProfile: { vmSize: spec.vmSize },
      storageProfile: storageProfile(spec, facts),
      osProfile: osProfile(spec, facts),
      networkProfile: {
        networkInterfaces: facts.networkInterfaces.map((id, index) => ({ id, properties: { primary: index === 0 } })),
      },
      diagnosticsProfile: { bootDiagnostics: bootDiagnostics(spec, facts.isStack ?? false) },
      availabilitySet: reference(facts.availabilitySet),
      virtualMachineScaleSet: reference(spec.virtualMachineScaleSetID),
      securityProfile: securityProfile(spec),
      additionalCapabilities: ultraSSD(spec),
      capacityReservation: capacityReservation(spec),
      ...spot(spec),
    }),
  });
