import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { run } from "./run.ts";

const packages =
  "ca-certificates,cloud-init,conntrack,containerd,containernetworking-plugins,dbus,ethtool," +
  "iproute2,iptables,kmod,mount,procps,runc,socat,sudo,systemd,systemd-sysv";

/** A Debian root with the real cloud-init, systemd and containerd, made once in the cache: what every image stands on. */
export const baseRoot = async (cache: string, say: (line: string) => void): Promise<string> => {
  const folder = join(cache, "base-bookworm-1");
  if (existsSync(folder)) return folder;
  const building = `${folder}.building`;
  say("base: debootstrap of Debian bookworm with cloud-init, systemd and containerd, about three minutes");
  rmSync(building, { recursive: true, force: true });
  const args = ["--variant=minbase", `--include=${packages}`, "bookworm", building];
  await run("nice", ["-n", "10", "debootstrap", ...args]);
  rmSync(join(building, "etc/hostname"), { force: true });
  await run("truncate", ["--size=0", join(building, "etc/machine-id")]);
  renameSync(building, folder);
  return folder;
};
