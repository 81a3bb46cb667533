import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Files below a root; paths are relative to it and use `/`. */
export interface FileTree {
  /** Returns whether there is a file or a folder. */
  exists(path: string): boolean;
  /** The text of a file; `undefined` when there is none. */
  read(path: string): string | undefined;
  /** Names of the files and folders directly in a folder; none when there is no such folder. */
  list(folder: string): readonly string[];
}

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();

export const diskTree = (root: string): FileTree => {
  return {
    exists: (path) => existsSync(join(root, path)),
    read: (path) => {
      const full = join(root, path);
      return existsSync(full) && !isFolder(full) ? readFileSync(full, "utf8") : undefined;
    },
    list: (folder) => (isFolder(join(root, folder)) ? readdirSync(join(root, folder)) : []),
  };
};
