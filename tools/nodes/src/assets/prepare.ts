import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { cacheFolder, type Target, targets } from "@capstan/tool-kube-assets/assets";
import { baseRoot } from "./base-root.ts";
import { machineImage } from "./machine-image.ts";

/** Folders on this host that machines are made from. */
export interface MachineAssets {
  /** The root that every image stands on. */
  readonly base: string;
  /** Folders of images, by the version of Kubernetes. */
  readonly images: Readonly<Record<string, string>>;
}

const targetsOfReleases = [targets["nodes-before"], targets.nodes] as const;

/** The releases that machines are made of: clusters begin with the older one and are upgraded to the newer. */
export const releases = [targets["nodes-before"].version, targets.nodes.version] as const;

const needed = ["kubeadm", "kubelet", "kube-proxy"] as const;
const programs = ["bash", "chroot", "debootstrap", "gcc", "ip", "nsenter", "setpriv", "tar", "unshare"] as const;

/** Why real machines of these releases cannot be had here, in one line; `undefined` when they can. Default: of both. */
export const unavailable = (wanted: readonly Target[] = targetsOfReleases): string | undefined => {
  if (process.platform !== "linux" || process.arch !== "x64") return "they need Linux on x86-64";
  if (process.getuid?.() !== 0) return "they need root, for namespaces, cgroups and mounts";
  const path = (process.env["PATH"] ?? "").split(":");
  const missing = programs.filter((name) => !path.some((folder) => existsSync(join(folder, name))));
  if (missing.length > 0) return `${missing.join(", ")} must be installed`;
  const isBuilt = wanted.every((target) => needed.every((name) => existsSync(join(cacheFolder(target), name))));
  return isBuilt ? undefined : "npm run kube-assets has not built what nodes run, for which Go is needed";
};

/** The folder in which they are kept, for this user. */
export const nodesCache = (): string =>
  join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "capstan", "nodes");

/** Builds what machines of these releases need and the user's cache lacks. Default: both releases. */
export const prepareAssets = async (
  say: (line: string) => void,
  wanted: readonly Target[] = targetsOfReleases,
): Promise<MachineAssets> => {
  const cache = nodesCache();
  mkdirSync(cache, { recursive: true });
  const base = await baseRoot(cache, say);
  const images: Record<string, string> = {};
  const known = wanted.map((target) => ({
    version: target.version,
    // What is not of the release itself, etcd and CoreDNS, is the newest one's.
    programs: [cacheFolder(target), cacheFolder(targets.nodes)],
  }));
  for (const release of known) {
    const others = known.filter((other) => other !== release);
    images[release.version] = await machineImage({ cache, base, release, others, say });
  }
  return { base, images };
};
