import { chmod, cp, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { run } from "../assets/run.ts";

/** A file of a package: a text, or a copy of a file of this host. */
export type PackageFile =
  | { readonly text: string; readonly mode?: number }
  | { readonly from: string; readonly mode?: number };

export interface DebianPackage {
  readonly name: string;
  readonly version: string;
  /** By absolute path. */
  readonly files: Readonly<Record<string, PackageFile>>;
  /** A package whose files it may overwrite. */
  readonly replaces?: string;
  /** Run once it is unpacked. */
  readonly configure?: string;
}

/** Builds a package into a folder; resolves with the name of its file. */
export const buildPackage = async (
  { name, version, files, replaces, configure }: DebianPackage,
  folder: string,
): Promise<string> => {
  const tree = join(folder, `${name}.tree`);
  for (const [path, file] of Object.entries(files)) {
    const target = join(tree, path);
    await mkdir(dirname(target), { recursive: true });
    if ("from" in file) await cp(file.from, target);
    else await writeFile(target, file.text);
    await chmod(target, file.mode ?? 0o644);
  }
  await mkdir(join(tree, "DEBIAN"), { recursive: true });
  const facts = {
    Package: name,
    Version: version,
    Architecture: "amd64",
    Maintainer: "nobody",
    Description: name,
    ...(replaces !== undefined && { Replaces: replaces }),
  };
  const control = Object.entries(facts).map(([key, value]) => `${key}: ${value}\n`);
  await writeFile(join(tree, "DEBIAN/control"), control.join(""));
  if (configure !== undefined) {
    await writeFile(join(tree, "DEBIAN/postinst"), `#!/bin/sh\n${configure}`, { mode: 0o755 });
  }
  const output = `${name}_${version}_amd64.deb`;
  await run("nice", ["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", tree, join(folder, output)]);
  await rm(tree, { recursive: true });
  return output;
};
