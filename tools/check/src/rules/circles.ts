import { dirname, posix } from "node:path";
import { circlesOf } from "../circle.ts";
import type { Finding, Package, Repository, Rule, SourceFile } from "../repository.ts";

/** An import from one node of a graph to another, and where it stands. */
interface Edge {
  readonly from: string;
  readonly to: string;
  readonly where: string;
}

/**
 * Nothing imports itself by a detour: no file, no room of a package (a folder or file directly in its `src`), no package.
 * Imports of types count, since whoever reads or moves a file has to know them as well.
 */
export const circlesRule: Rule = (repository) => [
  ...repository.packages.flatMap((entry) => {
    const imports = importsWithin(entry);
    return [
      ...findings("files", imports),
      ...findings(
        "rooms",
        imports.map((edge) => ({ ...edge, from: roomOf(entry, edge.from), to: roomOf(entry, edge.to) })),
      ),
    ];
  }),
  ...findings("packages", importsBetween(repository)),
];

const sourcesOf = ({ folder, files }: Package): readonly SourceFile[] =>
  files.filter(({ path, test }) => !test && path.startsWith(`${folder}/src/`));

const importsWithin = (entry: Package): readonly Edge[] =>
  sourcesOf(entry).flatMap(({ path, imports }) =>
    imports
      .filter(({ specifier }) => specifier.startsWith("."))
      .map(({ specifier, line }) => ({
        from: path,
        to: posix.join(dirname(path), specifier),
        where: `${path}:${line}`,
      })),
  );

const importsBetween = ({ packages }: Repository): readonly Edge[] =>
  packages.flatMap((entry) =>
    sourcesOf(entry).flatMap(({ path, imports }) =>
      imports.flatMap(({ specifier, line }) =>
        packages
          .filter(({ manifest }) => specifier === manifest.name || specifier.startsWith(`${manifest.name}/`))
          .map((target) => ({ from: entry.folder, to: target.folder, where: `${path}:${line}` })),
      ),
    ),
  );

/** The folder or file directly in `src` that holds the file. */
const roomOf = ({ folder }: Package, path: string): string =>
  path
    .split("/")
    .slice(0, folder.split("/").length + 2)
    .join("/");

const findings = (what: string, edges: readonly Edge[]): readonly Finding[] => {
  const between = edges.filter(({ from, to }) => from !== to);
  const graph = new Map<string, Set<string>>();
  for (const { from, to } of between) graph.set(from, (graph.get(from) ?? new Set()).add(to));
  // Files that stand in `src` themselves are rooms as well; a circle of them alone is one of files.
  const circles = circlesOf(graph).filter((circle) => what !== "rooms" || circle.some((room) => !room.endsWith(".ts")));
  return circles.map((circle) => {
    const steps = circle.slice(1).map((to, index) => {
      const ways = between.filter((edge) => edge.from === circle[index] && edge.to === to);
      return `${to} (${ways[0]?.where ?? ""}${ways.length > 1 ? ` and ${ways.length - 1} more` : ""})`;
    });
    return {
      rule: "circles",
      where: circle[0] ?? "",
      message: `${what} in a circle: imports ${steps.join(", imports ")}`,
    };
  });
};
