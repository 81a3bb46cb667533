import { readOptions, type UnixContext, type UnixProgram } from "../program.ts";

const letters = (mode: string): string =>
  mode
    .slice(-3)
    .split("")
    .map((digit) => ["r", "w", "x"].map((sign, index) => ((Number(digit) & (4 >> index)) === 0 ? "-" : sign)).join(""))
    .join("");

/** A line of `ls -l`. */
const long = (path: string, shown: string, { disk }: UnixContext): string => {
  const target = disk.link(path);
  const file = target === undefined ? disk.stat(path) : undefined;
  const { owner, permissions } =
    target === undefined
      ? (file ?? disk.folder(path) ?? { owner: "root:root", permissions: "0755" })
      : { owner: "root:root", permissions: "0777" };
  const kind = target !== undefined ? "l" : file === undefined ? "d" : "-";
  const size = file?.bytes.length ?? target?.length ?? 4096;
  return `${kind}${letters(permissions)} 1 ${owner.replace(":", " ")} ${size} Jan  1 00:00 ${shown}${target === undefined ? "" : ` -> ${target}`}`;
};

/** `ls`, a name a line. */
export const list: UnixProgram = (context) => {
  const { args, disk, fail, write } = context;
  const { options, words } = readOptions(args.filter((word) => word !== "-1"));
  const isLong = options.has("-l");
  const isAll = options.has("-a") || options.has("-A") || options.has("--all");
  const say = (path: string, shown: string): void => write(`${isLong ? long(path, shown, context) : shown}\n`);
  let status = 0;
  const folders: string[] = [];
  for (const word of words.length === 0 ? ["."] : words) {
    const isFolder = disk.isDirectory(word) && !(isLong && disk.link(word) !== undefined && !word.endsWith("/"));
    if (isFolder && !options.has("-d")) folders.push(word);
    else if (isFolder || disk.stat(word) !== undefined || disk.link(word) !== undefined) say(word, word);
    else status = fail(`cannot access '${word}': No such file or directory`, 2);
  }
  for (const [index, folder] of folders.entries()) {
    if (words.length > 1) write(`${index > 0 ? "\n" : ""}${folder}:\n`);
    const root = disk.resolve(folder) === "/" ? "" : disk.resolve(folder);
    const names = [...disk.paths(), ...disk.folders()].flatMap((path) =>
      path.startsWith(`${root}/`) && path !== "/" ? [path.slice(root.length + 1).split("/")[0] ?? ""] : [],
    );
    const sorted = [...new Set(names)].toSorted((one, other) =>
      one.localeCompare(other, "en", { sensitivity: "variant" }),
    );
    for (const name of sorted) if (isAll || !name.startsWith(".")) say(`${root}/${name}`, name);
  }
  return status;
};
