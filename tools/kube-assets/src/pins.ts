import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { go, pinsOf } from "./go.ts";
import { type GoModule, goModules, targets } from "./targets.ts";

/** `path => path version` for each staging module: the repository's own go.mod points to folders beside it. */
const stagingReplacements = (goMod: string, version: string): readonly string[] =>
  [...goMod.matchAll(/^\s*(k8s\.io\/[a-z0-9-]+) => \.\/staging\//gm)].map(
    ([, path]) => `\t${path} => ${path} ${version}`,
  );

const toolsOf = (module: GoModule): readonly string[] =>
  Object.values(targets)
    .flatMap(({ programs }) => [...programs])
    .filter((program) => program.module === module)
    .map((program) => `\t${program.package}`);

const block = (keyword: string, lines: readonly string[]): string =>
  lines.length === 0 ? "" : `\n${keyword} (\n${lines.join("\n")}\n)\n`;

/** Writes go.mod and go.sum of a module again: for a change of versions. Asks the module proxy. */
const updatePins = async (module: GoModule): Promise<void> => {
  const folder = pinsOf(module);
  const file = join(folder, "go.mod");
  mkdirSync(folder, { recursive: true });
  rmSync(join(folder, "go.sum"), { force: true });
  const head = `module kube-assets/${module.name}\n\ngo 1.26.0\n`;
  writeFileSync(file, head);
  const { GoMod } = JSON.parse(
    await go(module, ["mod", "download", "-json", `${module.path}@${module.version}`], "mod"),
  ) as {
    readonly GoMod: string;
  };
  const replacements =
    module.stagingVersion === undefined ? [] : stagingReplacements(readFileSync(GoMod, "utf8"), module.stagingVersion);
  writeFileSync(
    file,
    head +
      block("tool", toolsOf(module)) +
      `\nrequire ${module.path} ${module.version}\n` +
      block("replace", replacements),
  );
  await go(module, ["mod", "tidy"], "mod");
};

/** Writes the pins of every module again. */
export const updateAllPins = async (say: (line: string) => void): Promise<void> => {
  for (const module of goModules) {
    say(`pinning ${module.path} ${module.version}`);
    await updatePins(module);
  }
};
