import type { FileTree } from "../src/file-tree.ts";

/** A tree of texts by path. */
export const memoryTree = (files: Readonly<Record<string, string>>): FileTree => {
  const below = (folder: string): readonly string[] => {
    const start = folder === "" ? "" : `${folder}/`;
    return Object.keys(files)
      .filter((path) => path.startsWith(start))
      .map((path) => path.slice(start.length).split("/")[0] ?? "");
  };
  return {
    exists: (path) => files[path] !== undefined || below(path).length > 0,
    read: (path) => files[path],
    list: (folder) => [...new Set(below(folder))],
  };
};
