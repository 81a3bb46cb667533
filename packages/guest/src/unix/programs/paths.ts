import type { Disk } from "../../boot/disk.ts";

/** The last part of a path. */
export const nameOf = (path: string): string => path.replace(/\/+$/, "").split("/").at(-1) ?? "";

/** The folder that a path is in; `.` of a name alone. */
export const folderOf = (path: string): string => {
  const at = path.replace(/\/+$/, "").lastIndexOf("/");
  return at < 0 ? "." : at === 0 ? "/" : path.slice(0, at);
};

/** Paths of everything in a folder; each folder comes before what is in it. */
export const below = (disk: Disk, folder: string): readonly string[] => {
  const root = disk.resolve(folder);
  return [...new Set([...disk.folders(), ...disk.paths()])]
    .filter((path) => path.startsWith(`${root === "/" ? "" : root}/`) && path !== "/")
    .toSorted();
};

/** Where something is put: in the folder, where the target is one. */
export const placeIn = (disk: Disk, from: string, to: string): string =>
  to.endsWith("/") || disk.isDirectory(to) ? `${to.replace(/\/$/, "")}/${nameOf(from)}` : to;
