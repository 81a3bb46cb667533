import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { packedManifest, type Manifest } from "./packed-manifest.ts";

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;

/** Folders of the packages that are published. */
const publishedFolders = (repository: string): readonly string[] =>
  ["packages", "apps"]
    .flatMap((group) => readdirSync(join(repository, group)).map((name) => join(repository, group, name)))
    .filter((folder) => existsSync(join(folder, "package.json")) && manifestOf(folder).private !== true);

const isNotPacked = (name: string): boolean => name === "node_modules" || name.endsWith(".tsbuildinfo");

/** Packs the package in a folder: a copy of its files with another `package.json`. */
const pack = (folder: string, license: string, target: string): string => {
  const manifest = manifestOf(folder);
  if (!existsSync(join(folder, "dist"))) throw new Error(`${manifest.name} is not built; run npm run build first`);
  const staging = mkdtempSync(join(tmpdir(), "capstan-pack-"));
  try {
    for (const name of manifest.files ?? []) {
      const from = join(folder, name);
      if (!existsSync(from)) continue;
      cpSync(from, join(staging, name), { recursive: true, filter: (path) => !isNotPacked(basename(path)) });
    }
    cpSync(license, join(staging, "LICENSE"));
    writeFileSync(join(staging, "package.json"), `${JSON.stringify(packedManifest(manifest), null, 2)}\n`);
    const args = ["pack", "--ignore-scripts", "--silent", "--pack-destination", target];
    return execFileSync("npm", args, { cwd: staging, encoding: "utf8" }).trim();
  } finally {
    rmSync(staging, { recursive: true });
  }
};

/** Packs every published package of a repository into a folder, instead of the packs that are there; their file names. */
export const packPackages = (repository: string, target: string): readonly string[] => {
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(target)) {
    if (/^capstan-.*\.tgz$/.test(name)) rmSync(join(target, name));
  }
  return publishedFolders(repository).map((folder) => pack(folder, join(repository, "LICENSE"), target));
};
