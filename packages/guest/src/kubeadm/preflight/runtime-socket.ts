import { kubeadmError } from "../configuration.ts";
import type { Disk } from "../../boot/disk.ts";
import type { MachineSoftware } from "../../software/machine-software.ts";
import type { RuntimeState } from "./facts.ts";
import { versionOf } from "./version.ts";

/** Services that are container runtimes, and where they listen. */
const runtimes: Readonly<Record<string, string>> = {
  containerd: "/var/run/containerd/containerd.sock",
  crio: "/var/run/crio/crio.sock",
  "cri-docker": "/var/run/cri-dockerd.sock",
};

const runningRuntimes = ({ services }: MachineSoftware): readonly string[] =>
  Object.keys(runtimes).filter((name) => services.get(name)?.running === true);

/** The socket of the one runtime that runs, as kubeadm finds it; containerd's where there is none. Throws where there are several. */
export const socketOf = (software: MachineSoftware, given: unknown): string => {
  if (typeof given === "string" && given !== "") return given.startsWith("unix://") ? given : `unix://${given}`;
  const sockets = runningRuntimes(software).map((name) => `unix://${runtimes[name]}`);
  if (sockets.length <= 1) return sockets[0] ?? `unix://${runtimes["containerd"]}`;
  throw kubeadmError(
    `found multiple CRI endpoints on the host. Please define which one do you wish to use by setting the 'criSocket' field in the kubeadm configuration file: ${sockets.join(", ")}`,
    { phase: undefined },
  );
};

const disablesCri = (configuration = ""): boolean =>
  /^[ \t]*disabled_plugins[ \t]*=\s*\[[^\]]{0,2000}["'.]cri["']/m.test(configuration);

/** `/run` is where `/var/run` points to. */
const withoutLink = (path: string): string => path.replace(/^\/var\/run\//, "/run/");

export const runtimeStateAt = (socket: string, software: MachineSoftware, disk: Pick<Disk, "text">): RuntimeState => {
  const path = withoutLink(socket.replace(/^unix:\/\//, ""));
  const name = runningRuntimes(software).find((each) => withoutLink(runtimes[each] ?? "") === path);
  if (name === undefined) return "missing";
  if (name !== "containerd") return "ready";
  if (disablesCri(disk.text("/etc/containerd/config.toml"))) return "no-cri";
  const major = versionOf(software.programs.get(name) ?? "")?.major;
  return major !== undefined && major < 2 ? "no-runtime-config" : "ready";
};
