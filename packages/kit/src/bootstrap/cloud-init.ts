import { type JsonObject, own } from "@capstan/schema";
import { cloudConfig } from "../userdata/cloud-config.ts";
import { withFinalNewline, type FileEntry } from "./file-entry.ts";
import type { Filesystem, MachineSetup, Ntp, Partitions, User } from "./machine-setup.ts";

/** cloud-init's names of fields, in the order they are written. */
type Names<T> = Readonly<Partial<Record<keyof T & string, string>>>;

const renamed = <T extends object>(source: T, names: Names<T>): JsonObject =>
  Object.fromEntries(
    Object.entries<string | undefined>(names).map(([from, to = from]) => [to, source[from as keyof T]]),
  );

const fileNames: Names<FileEntry> = {
  path: "path",
  encoding: "encoding",
  owner: "owner",
  permissions: "permissions",
  append: "append",
  defer: "defer",
  content: "content",
};

const userNames: Names<Omit<User, "inactive"> & { readonly inactive?: string }> = {
  name: "name",
  passwd: "passwd",
  gecos: "gecos",
  groups: "groups",
  homeDir: "homedir",
  inactive: "inactive",
  lockPassword: "lock_passwd",
  shell: "shell",
  primaryGroup: "primary_group",
  sudo: "sudo",
  sshAuthorizedKeys: "ssh_authorized_keys",
};

const filesystemNames: Names<Filesystem> = {
  label: "label",
  filesystem: "filesystem",
  device: "device",
  partition: "partition",
  overwrite: "overwrite",
  replaceFS: "replace_fs",
  extraOpts: "extra_opts",
};

/** cloud-init takes the days between a password's end and the user's for `inactive`; anything but a text it passes over. */
const userOf = ({ inactive, ...user }: User): JsonObject =>
  renamed({ ...user, ...(inactive === true && { inactive: "0" }) }, userNames);

/** Sections that cloud-init's schema rejects when empty are omitted. */
const ntp = ({ enabled, servers = [] }: Ntp): JsonObject => ({
  ...(enabled !== undefined && { enabled }),
  ...(servers.length > 0 && { servers }),
});

const partitionCodes: Readonly<Record<string, string>> = {
  Linux: "83",
  LinuxSwap: "82",
  LinuxRAID: "fd",
  LVM: "8e",
  Fat32: "0c",
  NTFS: "07",
  LinuxExtended: "85",
};

const layout = ({ diskLayout = [], layout: whole = true }: Partitions): unknown =>
  diskLayout.length === 0
    ? whole
    : diskLayout.map(({ partitionType, percentage }) =>
        partitionType === undefined ? percentage : [percentage, own(partitionCodes, partitionType) ?? partitionType],
      );

const disks = (partitions: readonly Partitions[]): JsonObject =>
  Object.fromEntries(
    partitions.map((table) => [
      table.device,
      { table_type: table.tableType, layout: layout(table), overwrite: table.overwrite },
    ]),
  );

const belongsTo = (file: FileEntry, users: readonly User[]): boolean =>
  users.some(({ name }) => file.owner?.split(":").includes(name) === true);

const isBelow = (path: string, mounts: readonly (readonly string[])[]): boolean =>
  mounts.some(([, point = ""]) => point.startsWith("/") && path.startsWith(`${point.replace(/\/$/, "")}/`));

/**
 * cloud-init writes files before it makes users and mounts disks: a file of a user who is not there yet ends the writing, and one below a
 * mount point is hidden. It writes these late, yet before the commands.
 */
const placed = (file: FileEntry, { mounts = [], users = [] }: MachineSetup): FileEntry =>
  belongsTo(file, users) || isBelow(file.path, mounts) ? { ...file, defer: true } : file;

/**
 * The cloud-config of a machine. The same setup gives the same text; parts without entries are left out. cloud-init renders it as a Jinja
 * template first, so that it may use the machine's metadata.
 */
export const cloudInitDocument = (setup: MachineSetup): string => {
  const { partitions = [], filesystems = [] } = setup.diskSetup ?? {};
  return cloudConfig({
    jinja: true,
    sections: {
      write_files: setup.files.map((file) => renamed(withFinalNewline(placed(file, setup)), fileNames)),
      bootcmd: setup.bootCommands,
      runcmd: setup.commands,
      ntp: ntp(setup.ntp ?? {}),
      users: setup.users?.map(userOf),
      disk_setup: disks(partitions),
      fs_setup: filesystems.map((filesystem) => renamed(filesystem, filesystemNames)),
      mounts: setup.mounts,
      ...setup.more,
    },
  });
};
