import type { Disk } from "../../boot/disk.ts";
import { readOptions, type UnixContext } from "../program.ts";
import { below, folderOf, placeIn } from "./paths.ts";

interface Copying {
  readonly disk: Disk;
  readonly umask: number;
  /** With mode and owner. */
  readonly keeps: boolean;
  readonly isDeep: boolean;
}

/** Copies a file or, where it is a folder, all in it. */
const copy = (from: string, to: string, how: Copying): void => {
  const { disk, isDeep, keeps, umask } = how;
  const target = disk.link(from);
  if (target !== undefined && isDeep) return disk.makeLink(to, target);
  const file = disk.stat(from);
  if (file === undefined) {
    disk.makeDirectory(to, keeps ? disk.folder(from) : {});
    const root = disk.resolve(from);
    for (const path of below(disk, from)) {
      const place = `${to}/${path.slice(root.length + 1)}`;
      if (disk.isDirectory(path) && disk.link(path) === undefined) {
        disk.makeDirectory(place, keeps ? disk.folder(path) : {});
      } else copy(path, place, how);
    }
    return undefined;
  }
  const permissions = (Number.parseInt(file.permissions, 8) & ~umask).toString(8).padStart(4, "0");
  const before = disk.stat(to);
  disk.write(to, file.bytes, keeps ? file : (before ?? { permissions }));
  return undefined;
};

/** `cp` or `mv`. */
export const transfer = (context: UnixContext, moves: boolean): number => {
  const { args, disk, fail, session } = context;
  const { options, words } = readOptions(args, ["-t", "-S"]);
  const isWhole = options.has("-T");
  const target = options.get("-t") ?? words.at(-1) ?? "";
  const sources = options.has("-t") ? words : words.slice(0, -1);
  const isDeep = moves || ["-r", "-R", "-a", "--recursive", "--archive"].some((name) => options.has(name));
  const keeps = moves || ["-p", "-a", "--archive", "--preserve"].some((name) => options.has(name));
  if (words.length === 0) return fail("missing file operand");
  if (sources.length === 0) return fail(`missing destination file operand after '${words[0]}'`);
  if (sources.length > 1 && !disk.isDirectory(target)) return fail(`target '${target}' is not a directory`);
  let status = 0;
  for (const source of sources) {
    const isThere =
      disk.stat(source) !== undefined || disk.isDirectory(source) || (isDeep && disk.link(source) !== undefined);
    const isFolder = disk.isDirectory(source) && (!isDeep || disk.link(source) === undefined);
    const to = isWhole ? target : placeIn(disk, source, target);
    if (!isThere) status = fail(`cannot stat '${source}': No such file or directory`);
    else if (isFolder && !isDeep) status = fail(`-r not specified; omitting directory '${source}'`);
    else if (!disk.isDirectory(folderOf(to))) {
      status = fail(
        moves
          ? `cannot move '${source}' to '${to}': No such file or directory`
          : `cannot create ${isFolder ? "directory" : "regular file"} '${to}': No such file or directory`,
      );
    } else if (!(options.has("-n") && disk.stat(to) !== undefined)) {
      copy(source, to, { disk, umask: session.umask, keeps, isDeep });
      if (moves && disk.resolve(source) !== disk.resolve(to)) {
        disk.remove(source);
        if (isFolder) disk.removeDirectory(source);
      }
    }
  }
  return status;
};
