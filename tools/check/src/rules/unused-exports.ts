import { dirname, normalize } from "node:path";
import type { Package, Rule } from "../repository.ts";

/**
 * An export is imported by another file, or the file is an entry of the package: what nobody takes is not offered. A type that its file
 * uses may be exported all the same: declarations of other files may have to name it.
 */
export const unusedExportsRule: Rule = ({ packages }) =>
  packages.flatMap((entry) => {
    const taken = takenNames(entry);
    const entries = entryFiles(entry);
    return entry.files
      .filter(({ path, test }) => !test && path.startsWith(`${entry.folder}/src/`) && !entries.has(path))
      .flatMap(({ path, code, exports }) => {
        const names = taken.get(path) ?? new Set();
        return exports
          .filter(({ name }) => !names.has("*") && !names.has(name))
          .filter(({ name, typeOnly }) => !typeOnly || !isMentioned(name, code))
          .map(({ name, line }) => ({
            rule: "unused-exports",
            where: `${path}:${line}`,
            message: `nothing imports ${name}: take the export away, and what is unused then`,
          }));
      });
  });

/** Returns whether a name stands in the code once more beside its declaration. */
const isMentioned = (name: string, code: string): boolean => code.split(new RegExp(`\\b${name}\\b`)).length > 2;

/** Names that files of the package take from each other, by the path of the file they are in. */
const takenNames = ({ files }: Package): ReadonlyMap<string, ReadonlySet<string>> => {
  const taken = new Map<string, Set<string>>();
  for (const { path, imports } of files) {
    for (const { specifier, names } of imports.filter((each) => each.specifier.startsWith("."))) {
      const target = normalize(`${dirname(path)}/${specifier}`);
      taken.set(target, new Set([...(taken.get(target) ?? []), ...names]));
    }
  }
  return taken;
};

/** The sources that the package's `exports` lead to. */
const entryFiles = ({ folder, manifest }: Package): ReadonlySet<string> =>
  new Set(
    Object.values(manifest.exports ?? {}).flatMap((target) => {
      const source = typeof target === "string" ? undefined : target["@capstan/source"];
      return source === undefined ? [] : [normalize(`${folder}/${source}`)];
    }),
  );
