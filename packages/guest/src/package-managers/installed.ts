import type { Disk } from "../boot/disk.ts";
import { type MachineSoftware, setEnabled, setRunning } from "../software/machine-software.ts";
import { fitsPattern } from "../unix/pattern.ts";
import { programFile } from "../unix/program.ts";
import type { Package } from "../packages/package.ts";
import { unitFiles } from "../packages/unit-files.ts";

/** The machine that packages are installed on. */
export interface PackageTarget {
  readonly disk: Disk;
  readonly software: MachineSoftware;
}

/** A package and the version of it. */
export interface Chosen {
  readonly package: Package;
  readonly version: string;
}

const database = "/var/lib/dpkg/status";

/** Versions of the packages that were installed, by their names. */
export const installedPackages = (disk: Disk): ReadonlyMap<string, string> =>
  new Map(
    (disk.text(database) ?? "")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => line.split(" ", 2) as [string, string]),
  );

const record = (disk: Disk, change: (packages: Map<string, string>) => void): void => {
  const packages = new Map(installedPackages(disk));
  change(packages);
  disk.write(database, [...packages].map(([name, version]) => `${name} ${version}\n`).join(""));
};

/** `1.34.2-1.1` as the program says it. */
const programVersion = (name: string, version: string): string => {
  const plain = version.replace(/^\d+:/, "").split("-", 1)[0] ?? version;
  if (name === "rke2") return `v${plain.replace("~", "+")}`;
  return /^(?:kube|crictl)/.test(name) ? `v${plain}` : plain;
};

/** Puts a package on the disk, and starts its services where the system does so (`starts`). */
export const installPackage = (
  target: PackageTarget,
  chosen: Chosen,
  { starts }: { readonly starts: boolean },
): void => {
  const { disk, software } = target;
  const { name, programs = [name], services = [], files = {} } = chosen.package;
  for (const program of programs) {
    disk.write(`/usr/bin/${program}`, programFile(program, programVersion(program, chosen.version)), {
      permissions: "0755",
    });
  }
  for (const [path, text] of Object.entries(files)) {
    disk.write(path, text, { permissions: path.startsWith("/opt/") ? "0755" : "0644" });
  }
  for (const service of services) {
    for (const [path, text] of Object.entries(unitFiles(service))) disk.write(path, text);
    if (!starts) continue;
    setEnabled(software, disk, service, true);
    setRunning(software, service, true);
  }
  record(disk, (packages) => void packages.set(name, chosen.version));
};

export const removePackage = ({ disk, software }: PackageTarget, chosen: Package): void => {
  for (const program of chosen.programs ?? [chosen.name]) disk.remove(`/usr/bin/${program}`);
  for (const service of chosen.services ?? []) {
    setEnabled(software, disk, service, false);
    software.services.delete(service);
    for (const path of Object.keys(unitFiles(service))) disk.remove(path);
  }
  record(disk, (packages) => void packages.delete(chosen.name));
};

/** The version that is wanted: exact, with `*`, or the newest; `undefined`: there is none. */
export const chooseVersion = ({ versions }: Package, wanted: string | undefined): string | undefined =>
  wanted === undefined ? versions[0] : versions.find((version) => version === wanted || fitsPattern(wanted, version));

/** The package and all that it needs and is not there yet, needed ones first. */
export const withDependencies = (
  chosen: readonly Chosen[],
  available: (name: string) => Package | undefined,
  isThere: (name: string) => boolean,
): readonly Chosen[] => {
  const found = new Map<string, Chosen>();
  const add = (each: Chosen, seen: ReadonlySet<string>): void => {
    const { name, depends = [] } = each.package;
    for (const needed of depends) {
      const dependency = available(needed);
      if (
        seen.has(needed) ||
        found.has(needed) ||
        isThere(needed) ||
        chosen.some((other) => other.package.name === needed)
      ) {
        continue;
      }
      if (dependency !== undefined) {
        add({ package: dependency, version: dependency.versions[0] ?? "" }, new Set([...seen, needed]));
      }
    }
    found.set(name, each);
  };
  for (const each of chosen) add(each, new Set());
  return [...found.values()];
};
