import type { FileTree } from "../src/file-tree.ts";

/** A tree of texts by path. */
export const memoryTree = (files: Readonly<Record<string, string>>): FileTree => {
  const below = (folder: string): readonly string[] =>
    Object.keys(files)
      .filter((path) => path.startsWith(`${folder}/`))
      .map((path) => path.slice(folder.length + 1).split("/")[0] ?? "");
  return {
    exists: (path) => files[path] !== undefined || below(path).length > 0,
    read: (path) => files[path],
    list: (folder) => [...new Set(below(folder))],
  };
};
