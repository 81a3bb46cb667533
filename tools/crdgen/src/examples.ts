import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { GeneratedFile } from "./generate.ts";
import type { ApiPackage } from "./packages.ts";

/** An entry of `files` with its content; `indent` is that of its dash. */
const entry =
  /^(?<head>(?<indent> *)- path: (?<path>\S+)\n(?:\k<indent> {2}\w.*\n)*?\k<indent> {2}content: \|\n)(?<content>(?:\k<indent> {4}.*\n|\n(?=\n|\k<indent> {4}))+)/gm;

/** The files that flavors write on machines, by path. Variables that they leave to others stand as these see them. */
const filesOfFlavors = (packages: readonly ApiPackage[]): ReadonlyMap<string, string> => {
  const texts = packages.flatMap(({ flavors }) => flavors.map(({ template }) => template));
  return new Map(
    texts.flatMap((text) =>
      [...text.matchAll(entry)].map(({ groups }) => {
        const { content = "", indent = "", path = "" } = groups ?? {};
        const lines = content.replaceAll(new RegExp(`^${indent} {4}`, "gm"), "");
        return [path, lines.replaceAll("$${", "${")] as const;
      }),
    ),
  );
};

/** Scripts and manifests that stay as they are in every cluster. */
const shared = (path: string): boolean => /^\/usr\/local\/sbin\/|^\/etc\/kubernetes\/addons\//.test(path);

const clusterName = /^kind: Cluster\nmetadata:\n {2}name: (\S+)$/m;

/** An example with what flavors have too as they have it. */
const withSharedFiles = (text: string, files: ReadonlyMap<string, string>): string => {
  const name = clusterName.exec(text)?.[1] ?? "";
  return text.replaceAll(entry, (whole, ...rest: readonly unknown[]) => {
    const { head, indent, path } = rest.at(-1) as Readonly<Record<"head" | "indent" | "path", string>>;
    const content = shared(path) ? files.get(path) : undefined;
    if (content === undefined) return whole;
    return head + content.replaceAll("${CLUSTER_NAME}", name).replaceAll(/^(?=.)/gm, `${indent}    `);
  });
};

/** Every example, whose installation scripts and cloud controllers are those of the flavors. */
export const exampleFiles = (root: string, packages: readonly ApiPackage[]): readonly GeneratedFile[] => {
  const files = filesOfFlavors(packages);
  return globSync("examples/**/*.yaml", { cwd: root })
    .toSorted()
    .map((path) => ({ path, text: withSharedFiles(readFileSync(join(root, path), "utf8"), files) }));
};
