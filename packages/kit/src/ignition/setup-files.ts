import { type FileEntry, rootFile } from "../bootstrap/file-entry.ts";
import type { MachineSetup, Ntp, User } from "../bootstrap/machine-setup.ts";

/** The major version of Ignition's specification. */
export type IgnitionMajor = 2 | 3;

const sudoers = (users: readonly User[]): readonly FileEntry[] =>
  users.flatMap(({ name, sudo = "" }) =>
    sudo === "" ? [] : [rootFile(`/etc/sudoers.d/${name}`, `${name} ${sudo}\n`, "0600")],
  );

/** Defaults of sshd on Container Linux without a user's file; Ignition 3 has a folder for additions. */
const sshdDefaults = `# The defaults of the image
Subsystem sftp internal-sftp
ClientAliveInterval 180
UseDNS no
UsePAM yes
PrintLastLog no
PrintMotd no

`;

/** Users who may log in with their password are named to sshd; without any, nothing is written. */
const sshd = (users: readonly User[], major: IgnitionMajor): readonly FileEntry[] => {
  const names = users.filter(({ lockPassword }) => lockPassword === false).map(({ name }) => name);
  if (names.length === 0) return [];
  const block = `Match User ${names.join(",")}\n  PasswordAuthentication yes\n`;
  return major === 2
    ? [rootFile("/etc/ssh/sshd_config", `${sshdDefaults}${block}`, "0600")]
    : [rootFile("/etc/ssh/sshd_config.d/010-users.conf", block, "0600")];
};

const ntpConf = (servers: readonly string[]): string =>
  [
    ...servers.map((server) => `server ${server}`),
    "restrict default nomodify nopeer noquery notrap limited kod",
    "restrict 127.0.0.1",
    "restrict [::1]",
  ]
    .map((line) => `${line}\n`)
    .join("");

const chronyConf = (servers: readonly string[]): string =>
  [
    ...servers.map((server) => `server ${server} iburst`),
    "driftfile /var/lib/chrony/drift",
    "makestep 1.0 3",
    "rtcsync",
  ]
    .map((line) => `${line}\n`)
    .join("");

/** Images with Ignition 2 have ntpd, those with Ignition 3 have chrony. */
export const timeService = (
  { enabled = true, servers = [] }: Ntp = {},
  major: IgnitionMajor,
): { readonly file: FileEntry; readonly unit: string } | undefined => {
  if (!enabled || servers.length === 0) return undefined;
  return major === 2
    ? { file: rootFile("/etc/ntp.conf", ntpConf(servers), "0644"), unit: "ntpd.service" }
    : { file: rootFile("/etc/chrony.conf", chronyConf(servers), "0644"), unit: "chronyd.service" };
};

/**
 * Returns, as files, the parts of a setup without fields in Ignition: rules of sudo and sshd before the user's, the
 * time service after them.
 */
export const setupFiles = (
  { files, ntp, users = [] }: MachineSetup,
  { major, script }: { readonly major: IgnitionMajor; readonly script: FileEntry },
): readonly FileEntry[] => {
  const time = timeService(ntp, major);
  return [...sudoers(users), ...sshd(users, major), ...files, script, ...(time === undefined ? [] : [time.file])];
};
