interface Id {
  readonly id: string;
}

/** A disk that a machine is made with. */
export interface VmDisk {
  readonly name?: string;
  readonly createOption: string;
  readonly diskSizeGB?: number;
  readonly caching?: string;
  readonly lun?: number;
  readonly osType?: string;
  readonly deleteOption?: string;
  readonly managedDisk?: { readonly id?: string; readonly storageAccountType?: string };
  readonly diffDiskSettings?: { readonly option?: string };
}

/** Reference to an image. */
export interface ImageReference {
  readonly id?: string;
  readonly publisher?: string;
  readonly offer?: string;
  readonly sku?: string;
  readonly version?: string;
  readonly communityGalleryImageId?: string;
  readonly sharedGalleryImageId?: string;
}

/** The part of a virtual machine that is looked at here. */
export interface Vm {
  readonly hardwareProfile: { readonly vmSize: string };
  readonly storageProfile: {
    readonly imageReference?: ImageReference;
    readonly osDisk: VmDisk;
    readonly dataDisks?: readonly VmDisk[];
  };
  readonly osProfile?: {
    readonly computerName?: string;
    readonly adminUsername?: string;
    readonly adminPassword?: string;
    readonly customData?: string;
    readonly allowExtensionOperations?: boolean;
    readonly linuxConfiguration?: {
      readonly disablePasswordAuthentication?: boolean;
      readonly ssh?: { readonly publicKeys?: readonly { readonly path?: string; readonly keyData?: string }[] };
    };
    readonly windowsConfiguration?: object;
  };
  readonly networkProfile: {
    readonly networkInterfaces?: readonly {
      readonly id: string;
      readonly properties?: { readonly primary?: boolean; readonly deleteOption?: string };
    }[];
  };
  readonly diagnosticsProfile?: {
    readonly bootDiagnostics?: { readonly enabled?: boolean; readonly storageUri?: string };
  };
  readonly availabilitySet?: Id;
  readonly virtualMachineScaleSet?: Id;
  readonly priority?: string;
  readonly evictionPolicy?: string;
  readonly additionalCapabilities?: { readonly ultraSSDEnabled?: boolean };
}

export const vmType = "Microsoft.Compute/virtualMachines";

/** Returns whether a resource is a machine: a virtual machine, or an instance of a scale set. */
export const isMachine = ({ type }: { readonly type: string }): boolean => /\/virtualMachines$/i.test(type);

/** Returns whether Windows runs in it. */
export const isWindows = ({ storageProfile, osProfile }: Vm): boolean =>
  storageProfile.osDisk.osType === "Windows" || osProfile?.windowsConfiguration !== undefined;
