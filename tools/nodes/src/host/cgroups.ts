import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const mountOf = (controllers: string, isLegacy: boolean): string => {
  if (controllers === "") return isLegacy ? "/sys/fs/cgroup/unified" : "/sys/fs/cgroup";
  return join("/sys/fs/cgroup", controllers.replace(/^name=/, ""));
};

/** The cgroup of this process in every hierarchy. */
const ownCgroups = (): readonly { readonly controllers: string; readonly parent: string }[] => {
  const lines = readFileSync("/proc/self/cgroup", "utf8").trim().split("\n");
  const isLegacy = lines.some((line) => !line.startsWith("0::"));
  return lines.map((line) => {
    const [, controllers = "", path = "/"] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    return { controllers, parent: join(mountOf(controllers, isLegacy), path) };
  });
};

/** Makes a cgroup in every hierarchy of the host, below that of this process; their folders. */
export const createCgroups = (name: string): readonly string[] =>
  ownCgroups().map(({ controllers, parent }) => {
    const folder = join(parent, name);
    mkdirSync(folder, { recursive: true });
    if (controllers === "cpuset") {
      // A new one has none, and takes no process without.
      for (const file of ["cpuset.cpus", "cpuset.mems"]) {
        writeFileSync(join(folder, file), readFileSync(join(parent, file)));
      }
      writeFileSync(join(folder, "cgroup.clone_children"), "1");
    }
    return folder;
  });

/** Removes a cgroup and all below it; whether nothing is left. */
export const removeCgroup = (folder: string): boolean => {
  if (!existsSync(folder)) return true;
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) removeCgroup(join(folder, entry.name));
    }
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
};

/** Removes the cgroups below that of this process whose names begin so. */
export const removeCgroups = (prefix: string): void => {
  for (const { parent } of ownCgroups()) {
    const names = readdirSync(parent).filter((name) => name.startsWith(prefix));
    for (const name of names) removeCgroup(join(parent, name));
  }
};
