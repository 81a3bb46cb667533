import { defaulted, enumOf, int32, list, object, optional } from "@capstan/schema";
import { word } from "./network-parts.ts";

const cachingTypes = ["None", "ReadOnly", "ReadWrite"] as const;

const encryptionSet = () =>
  object({ id: optional(word("Resource ID of the disk encryption set.")) }, { description: "Keys of the user's own." });

const managedDisk = () =>
  object(
    {
      storageAccountType: optional(word("Type of the disk, for example Premium_LRS.")),
      diskEncryptionSet: optional(encryptionSet()),
      securityProfile: optional(
        object(
          {
            diskEncryptionSet: optional(encryptionSet()),
            securityEncryptionType: optional(
              enumOf(["VMGuestStateOnly", "DiskWithVMGuestState"], { description: "What is encrypted." }),
            ),
          },
          { description: "Security of a confidential machine's disk." },
        ),
      ),
    },
    { description: "The disk as a resource of its own." },
  );

const diffDiskSettings = () =>
  object(
    {
      option: enumOf(["Local"], { description: "The disk is on the host and lost with it." }),
      placement: optional(
        enumOf(["CacheDisk", "NvmeDisk", "ResourceDisk"], { description: "Which disk of the host it is on." }),
      ),
    },
    { description: "Makes the disk ephemeral." },
  );

/** The disk that a machine boots from. */
export const osDisk = () =>
  object(
    {
      // Required, and filled in all the same.
      osType: { ...word("Linux or Windows."), default: "Linux" },
      diskSizeGB: optional(int32({ description: "Size in GB; that of the image when unset." })),
      managedDisk: optional(managedDisk()),
      diffDiskSettings: optional(diffDiskSettings()),
      cachingType: defaulted(enumOf(cachingTypes, { description: "What the host caches." }), "None"),
    },
    { description: "The disk that the machine boots from." },
  );

/** Further disks of a machine. */
export const dataDisks = () =>
  list(
    object(
      {
        nameSuffix: word("Its name is that of the machine, _ and this."),
        diskSizeGB: int32({ description: "Size in GB; 4 to 32767." }),
        managedDisk: optional(managedDisk()),
        lun: optional(int32({ description: "Number by which the machine finds it; the lowest free one when unset." })),
        cachingType: optional(enumOf(cachingTypes, { description: "What the host caches." })),
      },
      { description: "One disk." },
    ),
    { description: "Further disks." },
  );
