import type { FileTree } from "../file-tree.ts";
import type { Finding, Package, Rule } from "../repository.ts";

/** Every entry has a source and the places it is built to; references of the compiler mirror the dependencies; there is a README that names the entries. Tools are not built. */
export const exportsRule: Rule = ({ tree, packages }) =>
  packages
    .filter(({ folder }) => !folder.startsWith("tools/"))
    .flatMap((entry) => [...entries(tree, entry), ...references(tree, entry), ...readme(tree, entry)]);

const finding = (where: string, message: string): Finding => ({ rule: "exports", where, message });

const entries = (tree: FileTree, entry: Package): readonly Finding[] =>
  Object.entries(entry.manifest.exports ?? {}).flatMap(([name, target]) => {
    const where = `${entry.folder}/package.json`;
    if (typeof target === "string") return [];
    if (name.includes("*")) return [finding(where, `${name}: wildcard exports are not allowed`)];
    const source = target["@capstan/source"] ?? "";
    if (!tree.exists(`${entry.folder}/${source.replace("./", "")}`)) {
      return [finding(where, `${name}: ${source} does not exist`)];
    }
    const built = source.replace("./src/", "./dist/");
    const right =
      target["default"] === built.replace(/\.ts$/, ".js") && target["types"] === built.replace(/\.ts$/, ".d.ts");
    return right ? [] : [finding(where, `${name}: types and default must be what ${source} is built to`)];
  });

const references = (tree: FileTree, entry: Package): readonly Finding[] => {
  const where = `${entry.folder}/tsconfig.build.json`;
  const { references: listed = [] } = JSON.parse(tree.read(where) ?? "{}") as {
    readonly references?: readonly { readonly path: string }[];
  };
  const up = "../".repeat(entry.folder.split("/").length);
  const below = entry.folder.startsWith("packages/") ? "../" : `${up}packages/`;
  const wanted = Object.keys(entry.manifest.dependencies ?? {})
    .filter((name) => name.startsWith("@capstan/"))
    .map((name) => `${below}${name.slice("@capstan/".length)}/tsconfig.build.json`)
    .toSorted();
  const present = listed.map(({ path }) => path).toSorted();
  return wanted.join() === present.join()
    ? []
    : [finding(where, `references are [${present.join(", ")}], the dependencies want [${wanted.join(", ")}]`)];
};

/** There is one, and that of a package of ours says what each entry is for. */
const readme = (tree: FileTree, { folder, manifest }: Package): readonly Finding[] => {
  const text = tree.read(`${folder}/README.md`);
  if (text === undefined) return [finding(folder, "README.md is missing")];
  if (!folder.startsWith("packages/")) return [];
  return Object.keys(manifest.exports ?? {})
    .filter((name) => name !== "." && name !== "./package.json" && !name.includes("*"))
    .filter((name) => !text.includes(`\`${name}\``) && !text.includes(`${manifest.name}${name.slice(1)}`))
    .map((name) => finding(`${folder}/README.md`, `the entry ${name} is not named`));
};
