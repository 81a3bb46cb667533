import type { FileTree } from "./file-tree.ts";

export interface Text {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
}

const skipped = new Set(["node_modules", "dist", ".git", ".nx", "__golden__", "__fixtures__", "crds"]);

/** The words of these files are the rules themselves. */
const aboutWords = /^docs\/glossary\.md$|^tools\/check\//;

const pathsIn = (tree: FileTree, folder = ""): readonly string[] =>
  tree.list(folder).flatMap((name) => {
    if (skipped.has(name)) return [];
    const path = folder === "" ? name : `${folder}/${name}`;
    return /\.(?:ts|md)$/.test(name) ? [path] : pathsIn(tree, path);
  });

/** Sources, documents and changesets: everything in which we write sentences. */
export const textsIn = (tree: FileTree): readonly Text[] =>
  pathsIn(tree)
    .filter((path) => !aboutWords.test(path))
    .map((path) => ({ path, text: tree.read(path) ?? "" }));
