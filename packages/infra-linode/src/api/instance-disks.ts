import { enumOf, integer, object, optional, quantity, string } from "@capstan/schema";

const disk = (description: string) =>
  object(
    {
      diskID: optional(integer({ description: "Id of the disk at Linode; set by the controller." })),
      size: quantity({ description: "Size of the disk, for example 10Gi." }),
      label: optional(string({ description: "Label of the disk." })),
      filesystem: optional(
        enumOf(["raw", "swap", "ext3", "ext4", "initrd"], { description: "File system of the disk; ext4 when unset." }),
      ),
    },
    { description },
  );

/** The disk the operating system boots from. */
export const osDisk = () => disk("The disk with the operating system; the whole plan less the data disks when unset.");

/** Further disks by device. */
export const dataDisks = () =>
  object(
    {
      sdb: optional(disk("Disk at /dev/sdb.")),
      sdc: optional(disk("Disk at /dev/sdc.")),
      sdd: optional(disk("Disk at /dev/sdd.")),
      sde: optional(disk("Disk at /dev/sde.")),
      sdf: optional(disk("Disk at /dev/sdf.")),
      sdg: optional(disk("Disk at /dev/sdg.")),
      sdh: optional(disk("Disk at /dev/sdh.")),
    },
    { description: "Disks beside the one with the operating system." },
  );
