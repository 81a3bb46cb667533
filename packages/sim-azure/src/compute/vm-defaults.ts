import type { Profile } from "./scale-sets/scale-set.ts";
import type { ImageReference, Vm, VmDisk } from "../vm.ts";

type System = NonNullable<Vm["osProfile"]>;

/** The system that an image has, by its name. */
const systemOf = (image: ImageReference | undefined): "Linux" | "Windows" =>
  /windows|-win-/i.test(`${image?.offer ?? ""} ${image?.communityGalleryImageId ?? image?.id ?? ""}`)
    ? "Windows"
    : "Linux";

/** The disk of a system as it is where a request leaves that to its image. */
const filledDisk = (disk: VmDisk | undefined, image: ImageReference | undefined, os: string | undefined): VmDisk => ({
  createOption: "FromImage",
  osType: os ?? systemOf(image),
  caching: "ReadWrite",
  diskSizeGB: 30,
  ...disk,
  managedDisk: { storageAccountType: "Standard_LRS", ...disk?.managedDisk },
});

/** A system's settings with what the cloud fills in. */
const filledSystem = <S extends Omit<System, "computerName">>(system: S): S => ({
  secrets: [],
  allowExtensionOperations: true,
  requireGuestProvisionSignal: true,
  ...system,
  ...(system.windowsConfiguration !== undefined && {
    windowsConfiguration: { provisionVMAgent: true, enableAutomaticUpdates: true, ...system.windowsConfiguration },
  }),
});

const windowsOf = (system: object | undefined): "Windows" | undefined =>
  system !== undefined && "windowsConfiguration" in system ? "Windows" : undefined;

/** A new machine with what the cloud fills in. */
export const filledVm = (vm: Vm): Vm => {
  const { storageProfile, osProfile } = vm;
  const { imageReference, osDisk, dataDisks = [] } = storageProfile;
  const disk = osDisk as VmDisk | undefined;
  return {
    ...vm,
    storageProfile: {
      ...storageProfile,
      osDisk: disk?.createOption === "Attach" ? disk : filledDisk(disk, imageReference, windowsOf(osProfile)),
      dataDisks,
    },
    ...(osProfile !== undefined && { osProfile: filledSystem(osProfile) }),
  };
};

/** A model of machines with what the cloud fills in; the same when it is filled already. */
export const filledProfile = (profile: Profile): Profile => {
  const { storageProfile, osProfile, networkProfile } = profile;
  const cards = networkProfile?.networkInterfaceConfigurations;
  return {
    ...profile,
    ...(storageProfile !== undefined && {
      storageProfile: {
        ...storageProfile,
        osDisk: filledDisk(storageProfile.osDisk, storageProfile.imageReference, windowsOf(osProfile)),
      },
    }),
    ...(osProfile !== undefined && { osProfile: filledSystem(osProfile) }),
    ...(cards !== undefined && {
      networkProfile: {
        ...networkProfile,
        networkInterfaceConfigurations: cards.map((card) => ({
          ...card,
          properties: {
            enableAcceleratedNetworking: false,
            disableTcpStateTracking: false,
            dnsSettings: { dnsServers: [] },
            enableIPForwarding: false,
            ...card.properties,
            ipConfigurations: card.properties.ipConfigurations.map((configuration) => ({
              ...configuration,
              properties: { privateIPAddressVersion: "IPv4", ...configuration.properties },
            })),
          },
        })),
      },
    }),
  };
};

/** An image as a machine shows it: with the version that `latest` meant. */
export const shownImage = (image: ImageReference | undefined) =>
  image?.version === undefined
    ? image
    : { ...image, exactVersion: image.version === "latest" ? "1.0.0" : image.version };
