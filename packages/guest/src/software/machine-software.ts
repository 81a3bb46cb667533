import type { Disk } from "../boot/disk.ts";
import { programIn } from "../unix/program.ts";
import { isExecutable } from "../unix/condition.ts";
import { usualPath } from "../unix/find-program.ts";

/** A service of systemd. */
export interface ServiceState {
  /** Starts with the machine. */
  enabled: boolean;
  running: boolean;
}

/** Software that is installed on a machine and runs there: read by its shell, by kubeadm's checks and by the kubelet. */
export interface MachineSoftware {
  /** Versions by the names of the programs that are on its path, for example `kubeadm` of `v1.34.2`. */
  readonly programs: Pick<ReadonlyMap<string, string>, "get" | "has">;
  /** By name, without `.service`. */
  readonly services: Map<string, ServiceState>;
  /** Modules of the kernel that are loaded, for example `br_netfilter`. */
  readonly modules: Set<string>;
  /** Settings of the kernel by their keys, for example `net.ipv4.ip_forward`. */
  readonly settings: Map<string, string>;
  /** True if pages are swapped to a disk. */
  swap: boolean;
}

const wants = "/etc/systemd/system/multi-user.target.wants/";

const version = (disk: Disk, name: string): string | undefined => {
  for (const folder of usualPath.split(":")) {
    const file = disk.stat(`${folder}/${name}`);
    if (file !== undefined && isExecutable(file.permissions)) {
      return programIn(new TextDecoder().decode(file.bytes))?.version ?? "";
    }
  }
  return undefined;
};

/** Returns the software of a machine that has not started: the programs on its disk, and no services. */
export const newSoftware = (disk: Disk): MachineSoftware => ({
  programs: { get: (name) => version(disk, name), has: (name) => version(disk, name) !== undefined },
  services: new Map(),
  modules: new Set(),
  settings: new Map([
    ["net.ipv4.ip_forward", "0"],
    ["net.ipv6.conf.default.forwarding", "0"],
    ["net.ipv6.conf.all.forwarding", "0"],
  ]),
  swap: false,
});

/** Keys and values of a file of `sysctl`. */
export const settingsIn = (text: string): readonly (readonly [key: string, value: string])[] =>
  text.split("\n").flatMap((line) => {
    const [, key, value] = /^\s*-?([\w./-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    return key === undefined || value === undefined ? [] : [[key.replaceAll("/", "."), value] as const];
  });

/** Sets a setting of the kernel. Of all interfaces of IPv6, forwarding is that of the ones to come as well. */
export const setSetting = ({ settings }: MachineSoftware, key: string, value: string): void => {
  settings.set(key, value);
  if (key === "net.ipv6.conf.all.forwarding") settings.set("net.ipv6.conf.default.forwarding", value);
};

/** Returns the module without which the kernel does not have a setting; `undefined` if it needs none. */
export const moduleOfSetting = (key: string): string | undefined =>
  key.startsWith("net.bridge.") ? "br_netfilter" : undefined;

const filesBelow = (disk: Disk, folder: string): readonly string[] =>
  disk.paths().filter((path) => path.startsWith(`${folder}/`));

/** Starts the machine: its services, and the kernel as the files on the disk say. */
export const startSoftware = (software: MachineSoftware, disk: Disk): void => {
  for (const path of filesBelow(disk, "/etc/modules-load.d")) {
    for (const line of (disk.text(path) ?? "").split("\n")) if (/^\w/.test(line)) software.modules.add(line.trim());
  }
  for (const path of [...filesBelow(disk, "/etc/sysctl.d"), "/etc/sysctl.conf"]) {
    for (const [key, value] of settingsIn(disk.text(path) ?? "")) {
      const needed = moduleOfSetting(key);
      if (needed === undefined || software.modules.has(needed)) setSetting(software, key, value);
    }
  }
  software.swap = /^[^#\n]*\sswap\s/m.test(disk.text("/etc/fstab") ?? "");
  for (const path of filesBelow(disk, wants.slice(0, -1))) {
    software.services.set(path.slice(wants.length).replace(/\.service$/, ""), { enabled: true, running: true });
  }
};

/** Says on the disk whether a service starts with the machine. */
export const setEnabled = (software: MachineSoftware, disk: Disk, name: string, enabled: boolean): void => {
  const { running = false } = software.services.get(name) ?? {};
  software.services.set(name, { enabled, running });
  if (enabled) disk.write(`${wants}${name}.service`, "");
  else disk.remove(`${wants}${name}.service`);
};

export const setRunning = (software: MachineSoftware, name: string, running: boolean): void => {
  software.services.set(name, { enabled: software.services.get(name)?.enabled ?? false, running });
};
