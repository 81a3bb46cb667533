import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** What `--help` says, by command; another test holds the page to the program. */
const helps = new Map(
  [...read("docs/commands.md").matchAll(/^## capstan (.*)\n\n```\n([\s\S]*?)\n```$/gm)].map(
    ([, path = "", help = ""]) => [path, help] as const,
  ),
);

const documents = globSync(["README.md", "SECURITY.md", "{docs,packages,apps,examples}/**/*.{md,yaml}"], {
  cwd: root,
  exclude: ["**/{node_modules,dist,crds,test,adr}/**", "docs/commands.md"],
});

/** Command lines in blocks, in code within the text, and in the first lines of examples. */
const commandsIn = (text: string): readonly string[] => {
  const joined = text.replaceAll(/ *\\\n[#\s]*/g, " ");
  const lines = joined.matchAll(/^(?:[#$] *)*(?:npx )?capstan ([a-z].*)$/gm);
  const inline = joined.matchAll(/`(?:npx )?capstan ([a-z][^`\n]*)`/g);
  return [...lines, ...inline].map(([, rest = ""]) => rest.split(/ [|#>] |[;&)`]| {2,}/)[0] ?? "");
};

const commandOf = (line: string): string | undefined => {
  // `capstan help options` is `capstan options`, as help of any command is.
  const words = line.replace(/^help /, "").split(/\s+/);
  return [2, 1].map((count) => words.slice(0, count).join(" ")).find((path) => helps.has(path));
};

it("the commands and flags that documents and examples show are there", () => {
  let seen = 0;
  const faults = documents.flatMap((path) =>
    commandsIn(read(path)).flatMap((line) => {
      seen += 1;
      const command = commandOf(line);
      if (command === undefined) return [`${path}: there is no command as in "capstan ${line}"`];
      const known = new Set(helps.get(command)?.match(/--?[a-z][a-z-]*/g));
      const flags = line.match(/(?<=\s)--?[a-z][a-z-]*/g) ?? [];
      return flags.filter((flag) => !known.has(flag)).map((flag) => `${path}: capstan ${command} has no ${flag}`);
    }),
  );
  expect(faults).toEqual([]);
  expect(seen).toBeGreaterThan(100);
});
