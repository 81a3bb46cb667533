import { distributionUnit } from "./distribution-units.ts";
import { newestOf, versionsOf } from "./kubernetes-packages.ts";
import type { Package } from "./package.ts";

const service = (role: "agent" | "server", versions: readonly string[]): Package => ({
  name: `rke2-${role}`,
  versions,
  programs: ["rke2"],
  depends: ["rke2-selinux"],
  files: {
    [`/usr/lib/systemd/system/rke2-${role}.service`]: distributionUnit(`rke2-${role}`, "/usr/bin/rke2", role),
  },
});

/** Returns the packages in the repository of a minor version of RKE2; empty if there is none. */
export const rke2Packages = (minor: number): readonly Package[] => {
  if (newestOf(minor) === undefined) return [];
  const versions = versionsOf(minor).map((version) => `${version}~rke2r1-0`);
  return [service("server", versions), service("agent", versions)];
};

/** Packages shared by all versions of RKE2. */
export const rke2CommonPackages: readonly Package[] = [
  { name: "rke2-selinux", versions: ["0.22-1"], programs: [], depends: ["container-selinux"] },
];
