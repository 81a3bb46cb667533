import { flagField, int64, list, object, optional, textField, textsField } from "@capstan/schema";

const number = (description: string) => optional(int64({ description }));

const partition = object(
  {
    label: textField("Its label."),
    number: number("Its number."),
    size: number("Its size in sectors."),
    start: number("Its first sector."),
    type_guid: textField("Its GPT type."),
  },
  { description: "A partition." },
);

const disk = object(
  {
    device: textField("Its device, for example /dev/sda."),
    wipe_table: flagField("Whether its partition table is wiped first."),
    partitions: optional(list(partition, { description: "Its partitions." })),
  },
  { description: "A disk." },
);

const raid = object(
  {
    name: textField("Its name."),
    level: textField("Its level."),
    devices: textsField("The devices it is made of.", "A device."),
    spare: number("How many of them are spare."),
  },
  { description: "A RAID array." },
);

const file = object(
  {
    path: textField("Its path."),
    contents: textField("What it contains."),
    mode: number("Its mode."),
    uid: number("User it belongs to."),
    gid: number("Group it belongs to."),
  },
  { description: "A file." },
);

const mount = object(
  {
    device: textField("Device it is on."),
    format: textField("Its file system, for example ext4."),
    files: optional(list(file, { description: "Files written to it." })),
    create: optional(
      object(
        {
          force: flagField("Whether what is there is overwritten."),
          options: textsField("Arguments of the program that makes it.", "An argument."),
        },
        { description: "How it is made." },
      ),
    ),
    point: textField("Where it is mounted."),
  },
  { description: "How it is mounted." },
);

/** Disks, arrays and file systems as actions make them. */
export const storage = () =>
  object(
    {
      disks: optional(list(disk, { description: "The disks." })),
      raid: optional(list(raid, { description: "The RAID arrays." })),
      filesystems: optional(
        list(object({ mount: optional(mount) }, { description: "A file system." }), {
          description: "The file systems.",
        }),
      ),
    },
    { description: "Disks, arrays and file systems." },
  );
