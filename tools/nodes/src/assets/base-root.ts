import { cpSync, existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { run } from "./run.ts";

const packages =
  "ca-certificates cloud-init conntrack containerd containernetworking-plugins curl dbus ethtool gpg " +
  "iproute2 iptables kmod mount procps runc socat sudo systemd systemd-sysv";

/** By which a root reaches the package archive the way this host does. */
const ways = ["etc/apt/apt.conf.d", "etc/resolv.conf", "etc/hosts"] as const;

/** debootstrap itself knows no packages that others provide, as python3-cryptography depends on one: apt does. */
const install = async (root: string): Promise<void> => {
  for (const path of ways) {
    if (existsSync(join("/", path))) cpSync(join("/", path), join(root, path), { recursive: true, dereference: true });
  }
  const command = `apt-get update && apt-get install -y --no-install-recommends ${packages} && apt-get clean`;
  const script = `export DEBIAN_FRONTEND=noninteractive; ${command}`;
  await run("nice", ["-n", "10", "chroot", root, "sh", "-c", script]);
};

/** A Debian root with the real cloud-init, systemd and containerd, made once in the cache: what every image stands on. */
export const baseRoot = async (cache: string, say: (line: string) => void): Promise<string> => {
  const folder = join(cache, "base-bookworm-2");
  if (existsSync(folder)) return folder;
  const building = `${folder}.building`;
  say("base: debootstrap of Debian bookworm with cloud-init, systemd and containerd, about three minutes");
  rmSync(building, { recursive: true, force: true });
  await run("nice", ["-n", "10", "debootstrap", "--variant=minbase", "bookworm", building]);
  await install(building);
  rmSync(join(building, "etc/hostname"), { force: true });
  await run("truncate", ["--size=0", join(building, "etc/machine-id")]);
  renameSync(building, folder);
  return folder;
};
