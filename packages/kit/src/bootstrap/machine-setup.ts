import type { ContentSource, ReadContent } from "./contents.ts";
import type { FileEntry } from "./file-entry.ts";

/** A user to create, in the field names of Cluster API. */
export interface User {
  readonly name: string;
  /** Hashed. */
  readonly passwd?: string;
  readonly gecos?: string;
  readonly groups?: string;
  readonly homeDir?: string;
  /** Disabled as soon as the password expires. */
  readonly inactive?: boolean;
  readonly lockPassword?: boolean;
  readonly shell?: string;
  readonly primaryGroup?: string;
  readonly sudo?: string;
  readonly sshAuthorizedKeys?: readonly string[];
}

/** A user whose hashed password may stand elsewhere. */
export interface UserSource extends User {
  readonly passwdFrom?: ContentSource;
}

/** Time synchronisation. */
export interface Ntp {
  readonly enabled?: boolean;
  readonly servers?: readonly string[];
}

/** A partition table: one partition over the whole disk or none, or partitions by their share. */
export interface Partitions {
  readonly device: string;
  readonly layout?: boolean;
  /** Types are names such as `Linux` and `LVM`, or GUIDs of GPT. */
  readonly diskLayout?: readonly { readonly percentage: number; readonly partitionType?: string }[];
  readonly overwrite?: boolean;
  readonly tableType?: string;
}

export interface Filesystem {
  readonly device: string;
  readonly filesystem: string;
  readonly label?: string;
  readonly partition?: string;
  readonly overwrite?: boolean;
  readonly replaceFS?: string;
  readonly extraOpts?: readonly string[];
}

/** Partitions and file systems to make. */
export interface DiskSetup {
  readonly partitions?: readonly Partitions[];
  readonly filesystems?: readonly Filesystem[];
}

/** Everything a machine is set up with. All contents are there: nothing is read from anywhere. */
export interface MachineSetup {
  /** In the order they are written. */
  readonly files: readonly FileEntry[];
  /** Run early in every boot. */
  readonly bootCommands?: readonly string[] | undefined;
  /** Run once, in their order, by a shell without `set -e`. */
  readonly commands: readonly string[];
  readonly ntp?: Ntp | undefined;
  readonly users?: readonly User[] | undefined;
  readonly diskSetup?: DiskSetup | undefined;
  /** Fields of the lines in fstab. */
  readonly mounts?: readonly (readonly string[])[] | undefined;
  /** Further keys of the document, after the others, as they are. */
  readonly more?: Readonly<Record<string, unknown>> | undefined;
}

/** Users in their order, with the passwords that stand elsewhere, which end where their line does. Throws `bootstrap.content_missing`. */
export const resolveUsers = async (
  users: readonly UserSource[] | undefined,
  read: ReadContent,
  field = "spec.users",
): Promise<readonly User[]> => {
  const resolved: User[] = [];
  for (const [index, { passwdFrom, ...user }] of (users ?? []).entries()) {
    if (passwdFrom === undefined) {
      resolved.push(user);
    } else {
      const passwd = String(await read(passwdFrom, `${field}[${index}].passwdFrom`)).replace(/\r?\n$/, "");
      resolved.push({ ...user, passwd });
    }
  }
  return resolved;
};
