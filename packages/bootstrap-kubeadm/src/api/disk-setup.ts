import { boolean, enumOf, int32, list, object, optional, rules, text } from "@capstan/schema";
import type { Fields, ValidationRule } from "@capstan/schema";
import { texts } from "./generation.ts";
import type { Generation } from "./generation.ts";

const partitionType = () =>
  rules(text(36, "Type of the partition: a name, or the GUID of a GPT type."), {
    rule: "self.matches('^(Linux|LinuxSwap|LinuxRAID|LVM|Fat32|NTFS|LinuxExtended|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$')",
    message:
      "partitionType must be one of Linux, LinuxSwap, LinuxRAID, LVM, Fat32, NTFS, LinuxExtended or a full GPT partition GUID",
  });

/** One partition of the whole disk, or none. */
export const layout = () => boolean({ description: "Whether one partition over the whole disk is made." });

const diskLayout = (generation: Generation) =>
  list(
    object(
      {
        percentage: int32({ description: "Share of the disk.", minimum: 1, maximum: 100 }),
        partitionType: optional(partitionType()),
      },
      { description: "One partition." },
    ),
    { description: "Partitions in order.", maxItems: 100, ...generation.list, minItems: 1 },
  );

const filesystems = (generation: Generation) =>
  list(
    object(
      {
        device: text(256, "Device, for example /dev/sdb1."),
        filesystem: text(128, "Type, for example ext4."),
        label: optional(text(512, "Label of the file system.")),
        partition: optional(text(128, "Partition: auto, any, none or a number.")),
        overwrite: optional(boolean({ description: "Whether an existing file system is replaced." })),
        replaceFS: optional(text(128, "Type of file system that is replaced.")),
        extraOpts: optional(
          texts("Further options of mkfs.", "An option.", {
            maxItems: 100,
            maxLength: 256,
            ...generation.openList,
          }),
        ),
      },
      { description: "One file system." },
    ),
    { description: "File systems to make.", maxItems: 100, ...generation.openList },
  );

/** Partitions and file systems; `own` are the fields and rules of a partition table that versions differ in. */
export const diskSetup = <const F extends Fields>(
  generation: Generation,
  own: { readonly fields: F; readonly rules?: readonly ValidationRule[] },
) =>
  object(
    {
      partitions: optional(
        list(
          object(
            {
              device: text(256, "Device, for example /dev/sdb."),
              diskLayout: optional(diskLayout(generation)),
              overwrite: optional(boolean({ description: "Whether an existing partition table is replaced." })),
              tableType: optional(enumOf(["mbr", "gpt"], { description: "Kind of partition table; mbr when unset." })),
              ...own.fields,
            },
            { description: "One partition table.", ...(own.rules !== undefined && { rules: own.rules }) },
          ),
          { description: "Partition tables to make.", maxItems: 100, ...generation.openList },
        ),
      ),
      filesystems: optional(filesystems(generation)),
    },
    { description: "Partitions and file systems to make.", ...generation.object },
  );
