import type { Disk } from "../boot/disk.ts";

/** A path of Windows as the disk has it: what is on drive C is at the root. */
export const diskPath = (path: string): string => path.replace(/^[A-Za-z]:/, "").replaceAll("\\", "/");

/** A file or folder as it is written on the disk: to Windows the letter case makes no difference. */
export const pathOnDisk = (path: string, disk: Disk): string => {
  const wanted = diskPath(path);
  const found = disk.paths().find((each) => `${each}/`.toLowerCase().startsWith(`${wanted}/`.toLowerCase()));
  return found === undefined ? wanted : found.slice(0, wanted.length);
};
