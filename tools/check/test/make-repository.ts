import { readRepository, type Repository, type Rule } from "../src/repository.ts";
import { memoryTree } from "./memory-tree.ts";

type Manifest = Readonly<Record<string, unknown>>;

/** The `package.json` of a package with one entry, and the `tsconfig.build.json` that mirrors its dependencies. */
export const packageFiles = (folder: string, manifest: Manifest = {}): Readonly<Record<string, string>> => {
  const name = folder.split("/").at(-1) ?? folder;
  const dependencies = Object.keys(manifest["dependencies"] ?? {});
  const references = dependencies
    .filter((dependency) => dependency.startsWith("@capstan/"))
    .map((dependency) => ({ path: `${dependency.replace("@capstan/", "../")}/tsconfig.build.json` }));
  const entry = { "@capstan/source": "./src/index.ts", types: "./dist/index.d.ts", default: "./dist/index.js" };
  return {
    [`${folder}/package.json`]: JSON.stringify({ name: `@capstan/${name}`, exports: { ".": entry }, ...manifest }),
    [`${folder}/tsconfig.json`]: "{}",
    [`${folder}/tsconfig.build.json`]: JSON.stringify({ references }),
    [`${folder}/README.md`]: `# @capstan/${name}`,
    [`${folder}/src/index.ts`]: "export const one = 1;",
  };
};

export const makeRepository = (...files: readonly Readonly<Record<string, string>>[]): Repository =>
  readRepository(memoryTree(Object.assign({}, ...files) as Readonly<Record<string, string>>));

/** What a rule finds, as it is printed, without the name of the rule. */
export const findingsOf = (rule: Rule, ...files: readonly Readonly<Record<string, string>>[]): readonly string[] =>
  rule(makeRepository(...files)).map(({ where, message }) => `${where}: ${message}`);
