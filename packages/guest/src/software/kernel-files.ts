import type { KernelFiles } from "../boot/disk.ts";
import { type MachineSoftware, moduleOfSetting, setSetting } from "./machine-software.ts";

const swapHead = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n";
const swapLine = "/dev/sdb                                partition\t524284\t\t0\t\t-2\n";

const keyOf = (path: string): string | undefined => /^\/proc\/sys\/(.+)$/.exec(path)?.[1]?.replaceAll("/", ".");

/** A setting of the kernel; `undefined`: the kernel does not have it. Those of a module are on once it is loaded. */
export const settingOf = (
  { modules, settings }: Pick<MachineSoftware, "modules" | "settings">,
  key: string,
): string | undefined => {
  const needed = moduleOfSetting(key);
  if (needed === undefined) return settings.get(key);
  return modules.has(needed) ? (settings.get(key) ?? "1") : undefined;
};

/** Returns the files that a machine's kernel shows: its settings, which can be written, and whether it swaps. */
export const kernelFiles = (software: MachineSoftware): KernelFiles => ({
  read: (path) => {
    if (path === "/proc/swaps") return software.swap ? `${swapHead}${swapLine}` : swapHead;
    const key = keyOf(path);
    const value = key === undefined ? undefined : settingOf(software, key);
    return value === undefined ? undefined : `${value}\n`;
  },
  write: (path, text) => {
    const key = keyOf(path);
    if (key !== undefined && settingOf(software, key) !== undefined) setSetting(software, key, text.trim());
  },
});
