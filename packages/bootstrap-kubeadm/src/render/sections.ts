import type { Json } from "./kubeadm-documents.ts";

/** One file to write, as cloud-init takes it. Absent fields are left out of the document. */
export interface FileEntry {
  readonly path: string;
  readonly encoding?: string;
  readonly owner?: string;
  readonly permissions?: string;
  readonly append?: boolean;
  readonly content?: string;
}

const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);

const strings = (value: unknown): readonly string[] => (Array.isArray(value) ? (value as readonly string[]) : []);

/** Renames fields; what is undefined is left out. */
const rename = (source: Json, names: Readonly<Record<string, string>>): Json =>
  Object.fromEntries(
    Object.entries(names).flatMap(([from, to]) => (source[from] === undefined ? [] : [[to, source[from]]])),
  );

/** Files of the KubeadmConfig whose contents are resolved. Cloud-init's `gzip+base64` and the others keep their names. */
export const userFiles = (files: unknown): readonly FileEntry[] =>
  list(files).map((file) =>
    rename(file, {
      path: "path",
      encoding: "encoding",
      owner: "owner",
      permissions: "permissions",
      append: "append",
      content: "content",
    }),
  ) as unknown as readonly FileEntry[];

/** `users` of cloud-init; passwords are resolved already. */
export const users = (value: unknown): readonly Json[] =>
  list(value).map((user) =>
    rename(user, {
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
    }),
  );

export const ntp = (value: unknown): Json | undefined => {
  if (value === undefined || value === null) return undefined;
  const { enabled, servers } = value as Json;
  const section = {
    ...(enabled === undefined ? {} : { enabled }),
    ...(strings(servers).length === 0 ? {} : { servers }),
  };
  return Object.keys(section).length === 0 ? undefined : section;
};

const partitionCodes: Readonly<Record<string, string>> = {
  Linux: "83",
  LinuxSwap: "82",
  LinuxRAID: "fd",
  LVM: "8e",
  Fat32: "0c",
  NTFS: "07",
  LinuxExtended: "85",
};

const layout = (partition: Json): unknown => {
  const diskLayout = list(partition["diskLayout"]);
  if (diskLayout.length === 0) return partition["layout"] ?? true;
  return diskLayout.map(({ percentage, partitionType }) =>
    typeof partitionType === "string" ? [percentage, partitionCodes[partitionType] ?? partitionType] : percentage,
  );
};

/** `disk_setup` of cloud-init: partitions by device. */
export const diskSetup = (value: unknown): Json | undefined => {
  const partitions = list((value as Json | undefined)?.["partitions"]);
  if (partitions.length === 0) return undefined;
  return Object.fromEntries(
    partitions.map((partition) => [
      partition["device"] as string,
      {
        ...(partition["tableType"] === undefined ? {} : { table_type: partition["tableType"] }),
        layout: layout(partition),
        ...(partition["overwrite"] === undefined ? {} : { overwrite: partition["overwrite"] }),
      },
    ]),
  );
};

/** `fs_setup` of cloud-init. */
export const filesystems = (value: unknown): readonly Json[] =>
  list((value as Json | undefined)?.["filesystems"]).map((filesystem) =>
    rename(filesystem, {
      label: "label",
      filesystem: "filesystem",
      device: "device",
      partition: "partition",
      overwrite: "overwrite",
      replaceFS: "replace_fs",
      extraOpts: "extra_opts",
    }),
  );
