import { CapstanError } from "@capstan/contract";
import type { JsonObject } from "@capstan/schema";
import type { FileEntry } from "../bootstrap/file-entry.ts";
import type { DiskSetup, MachineSetup, User } from "../bootstrap/machine-setup.ts";
import { fileContents, fileMode, fileOwner } from "./file-content.ts";
import { type IgnitionMajor, setupFiles, timeService } from "./setup-files.ts";
import { mountUnits } from "./setup-mounts.ts";

/** Something that the machines cannot be set up with by Ignition, and what can be done instead. */
const unsupported = (part: string, why: string): CapstanError =>
  new CapstanError({
    code: "bootstrap.ignition_unsupported",
    reason: "IgnitionUnsupported",
    message: `${part}: ${why}`,
    retry: { kind: "never" },
  });

const refuseUnsupported = ({ bootCommands = [], diskSetup = {}, more = {}, users = [] }: MachineSetup): void => {
  const useUnit = "Ignition cannot run commands at every boot; use a systemd unit";
  if (bootCommands.length > 0) throw unsupported("bootCommands", useUnit);
  const [section] = Object.keys(more);
  if (section !== undefined) {
    throw unsupported(section, "the section is specific to cloud-init; Ignition does not have it");
  }
  const inactive = users.findIndex((user) => user.inactive === true);
  if (inactive >= 0) {
    throw unsupported(`users[${inactive}].inactive`, "Ignition cannot create inactive users; lock the password");
  }
  for (const [index, { diskLayout = [], tableType = "gpt" }] of (diskSetup.partitions ?? []).entries()) {
    const at = `diskSetup.partitions[${index}]`;
    if (tableType !== "gpt") throw unsupported(`${at}.tableType`, "Ignition only creates gpt partition tables");
    if (diskLayout.length > 0) {
      throw unsupported(`${at}.diskLayout`, "Ignition does not support percentages of a disk; use layout");
    }
  }
  for (const [index, { partition, replaceFS }] of (diskSetup.filesystems ?? []).entries()) {
    const at = `diskSetup.filesystems[${index}]`;
    if (partition !== undefined) {
      throw unsupported(`${at}.partition`, "Ignition requires a device; name the partition's device");
    }
    if (replaceFS !== undefined) throw unsupported(`${at}.replaceFS`, "Ignition has no such condition; use overwrite");
  }
};

const fileOf = (file: FileEntry, major: IgnitionMajor): JsonObject => {
  const contents = fileContents(file);
  const isAdded = file.append === true;
  const common = { path: file.path, ...fileOwner(file), mode: fileMode(file) };
  // Version 2 takes the place of what is there unless it is told otherwise, version 3 does not.
  if (major === 2) return { filesystem: "root", ...common, ...(isAdded && { append: true }), contents };
  return isAdded ? { ...common, append: [contents] } : { ...common, overwrite: true, contents };
};

/** Returns the files that take effect: of those with the same path the last one, with what is appended to it. */
const effective = (files: readonly FileEntry[]): readonly FileEntry[] =>
  files.filter((file, index) =>
    files.every((later, at) => at <= index || later.path !== file.path || later.append === true),
  );

const joinedAdditions = (files: readonly JsonObject[]): readonly JsonObject[] => {
  const byPath = new Map<string, JsonObject>();
  for (const file of files) {
    const before = byPath.get(String(file["path"]));
    const append = [...((before?.["append"] ?? []) as unknown[]), ...((file["append"] ?? []) as unknown[])];
    byPath.set(String(file["path"]), { ...file, ...before, ...(append.length > 0 && { append }) });
  }
  return [...byPath.values()];
};

const filesOf = (files: readonly FileEntry[], major: IgnitionMajor): readonly JsonObject[] => {
  const written = effective(files).map((file) => fileOf(file, major));
  return major === 2 ? written : joinedAdditions(written);
};

const present = (members: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
  );

const userOf = ({
  gecos,
  groups = "",
  homeDir,
  name,
  passwd,
  primaryGroup,
  shell,
  sshAuthorizedKeys,
}: User): JsonObject =>
  present({
    name,
    passwordHash: passwd,
    sshAuthorizedKeys,
    gecos,
    homeDir,
    primaryGroup,
    groups: groups
      .split(",")
      .map((group) => group.trim())
      .filter((group) => group !== ""),
    shell,
  });

const disksOf = ({ partitions = [] }: DiskSetup): readonly JsonObject[] =>
  partitions.map(({ device, layout = true, overwrite }) =>
    present({ device, wipeTable: overwrite, partitions: layout ? [{ number: 1 }] : [] }),
  );

const filesystemsOf = ({ filesystems = [] }: DiskSetup, major: IgnitionMajor): readonly JsonObject[] =>
  filesystems.map(({ device, extraOpts, filesystem: format, label, overwrite }) => {
    const mount = present({ device, format, wipeFilesystem: overwrite, label, options: extraOpts });
    return major === 2 ? { name: label ?? device, mount } : mount;
  });

/** The script that commands become, and the unit that runs it. */
export interface IgnitionRun {
  /** The script but for its content. */
  readonly script: Pick<FileEntry, "owner" | "path" | "permissions">;
  /** Lines before the commands: the shell, and how it takes failures. */
  readonly header: string;
  readonly unit: { readonly name: string; readonly contents: string };
}

/** The config, without its version, that sets a machine up. Throws `bootstrap.ignition_unsupported` with the part that Ignition has nothing for. */
export const setupConfig = (setup: MachineSetup, run: IgnitionRun, major: IgnitionMajor): JsonObject => {
  refuseUnsupported(setup);
  const { commands, diskSetup = {}, ntp, users = [] } = setup;
  const script = { ...run.script, content: `${[run.header, ...commands].join("\n")}\n` };
  const time = timeService(ntp, major);
  const enabled = { enabled: true };
  return present({
    passwd: users.length === 0 ? undefined : { users: users.map(userOf) },
    storage: present({
      disks: disksOf(diskSetup),
      filesystems: filesystemsOf(diskSetup, major),
      files: filesOf(setupFiles(setup, { major, script }), major),
    }),
    systemd: {
      units: [
        { name: run.unit.name, ...enabled, contents: run.unit.contents },
        ...(time === undefined ? [] : [{ name: time.unit, ...enabled }]),
        ...mountUnits(setup).map(({ contents, name }) => ({ name, ...enabled, contents })),
      ],
    },
  });
};
