import { archive, type ArchiveMember, membersIn, memberText } from "../internet/archive.ts";
import { programIn, readOptions, type UnixContext, type UnixProgram, type UnixPrograms } from "../unix/program.ts";
import { fileText } from "../unix/programs/text-input.ts";
import { below } from "../unix/programs/paths.ts";

const isExecutable = (text: string): boolean => programIn(text) !== undefined || text.startsWith("#!");

const plain = (path: string): string => path.replace(/^\.\//, "").replace(/\/$/, "");

/** As tar counts: `./` is a part as any other. */
const stripped = (path: string, count: number): string => plain(path.split("/").slice(count).join("/"));

const unreadable = (path: string, { streams }: UnixContext): number => {
  streams.err(`tar: ${path}: Cannot open: No such file or directory\ntar: Error is not recoverable: exiting now\n`);
  return 2;
};

type Options = ReadonlyMap<string, string>;

const folderIn = (options: Options): string | undefined => options.get("-C") ?? options.get("--directory");

const unpack = (context: UnixContext, text: string, options: Options, asked: readonly string[]): number => {
  const members = membersIn(text);
  if (members === undefined) {
    context.streams.err(
      "\ngzip: stdin: not in gzip format\ntar: Child returned status 1\ntar: Error is not recoverable: exiting now\n",
    );
    return 2;
  }
  const folder = folderIn(options) ?? ".";
  if (!context.disk.isDirectory(folder)) return unreadable(folder, context);
  const isMeant = (path: string): boolean =>
    asked.length === 0 ||
    asked.some((each) => plain(each) === plain(path) || plain(path).startsWith(`${plain(each)}/`));
  for (const [path, member] of Object.entries(members).filter(([each]) => isMeant(each))) {
    const name = stripped(path, Number(options.get("--strip-components") ?? 0));
    if (name === "" || name === ".") continue;
    const content = memberText(member);
    const usual = isExecutable(content) ? "0755" : "0644";
    if (path.endsWith("/")) context.disk.makeDirectory(`${folder}/${name}`);
    else {
      const permissions = typeof member === "string" ? usual : member.permissions;
      context.disk.write(`${folder}/${name}`, content, { permissions });
    }
  }
  for (const each of asked) {
    if (Object.keys(members).some((path) => plain(path) === plain(each))) continue;
    context.streams.err(
      `tar: ${each}: Not found in archive\ntar: Exiting with failure status due to previous errors\n`,
    );
    return 2;
  }
  return 0;
};

/** The members that a word of the command line stands for, by the names that they have in the archive. */
const packed = (word: string, folder: string, { disk }: UnixContext): readonly (readonly [string, ArchiveMember])[] => {
  const from = word.startsWith("/") ? word : `${folder}/${word}`;
  const root = disk.resolve(from);
  const name = word.replace(/^\/+/, "").replace(/\/$/, "");
  const file = disk.stat(from);
  if (file !== undefined) return [[name, { text: disk.text(from) ?? "", permissions: file.permissions }]];
  return [
    [`${name}/`, ""] as const,
    ...below(disk, from).map((path) => {
      const inside = `${name}/${path.slice(root === "/" ? 1 : root.length + 1)}`;
      const each = disk.stat(path);
      if (each === undefined) return [`${inside}/`, ""] as const;
      return [inside, { text: disk.text(path) ?? "", permissions: each.permissions }] as const;
    }),
  ];
};

const pack = (context: UnixContext, path: string, options: Options, words: readonly string[]): number => {
  const { disk, streams, write } = context;
  const folder = folderIn(options) ?? ".";
  if (!disk.isDirectory(folder)) return unreadable(folder, context);
  const there = words.filter((word) => {
    const from = word.startsWith("/") ? word : `${folder}/${word}`;
    const isThere = disk.stat(from) !== undefined || disk.isDirectory(from);
    if (!isThere) streams.err(`tar: ${word}: Cannot stat: No such file or directory\n`);
    return isThere;
  });
  const text = archive(Object.fromEntries(there.flatMap((word) => packed(word, folder, context))));
  if (path === "-") write(text);
  else disk.write(path, text);
  if (there.length === words.length) return 0;
  streams.err("tar: Exiting with failure status due to previous errors\n");
  return 2;
};

const valued = ["-C", "--directory", "-f", "--file", "--strip-components", "--exclude"];

const tar: UnixProgram = (context) => {
  const { args, disk, input, write } = context;
  const [first = ""] = args;
  const { options, words } = readOptions(/^[a-zA-Z]+$/.test(first) ? [`-${first}`, ...args.slice(1)] : args, valued);
  const path = options.get("-f") ?? options.get("--file") ?? "-";
  if (options.has("-c") || options.has("--create")) return pack(context, path, options, words);
  const text = path === "-" ? input.all() : disk.text(path);
  if (text === undefined) return unreadable(path, context);
  if (options.has("-t") || options.has("--list")) {
    for (const name of Object.keys(membersIn(text) ?? {})) write(`${name}\n`);
    return 0;
  }
  return unpack(context, text, options, words);
};

/** `gzip` or, where it `unpacks`, `gunzip`: what is packed stays as it is, under another name. */
const gzip =
  (unpacks: boolean): UnixProgram =>
  (context) => {
    const { args, disk, fail, input, write } = context;
    const { options, words } = readOptions(args);
    const isBack = unpacks || options.has("-d") || options.has("--decompress");
    if (words.length === 0) write(input.all());
    let status = 0;
    for (const path of words) {
      const file = disk.stat(path);
      if (file === undefined) status = fail(`${path}: No such file or directory`);
      else if (options.has("-c") || options.has("--stdout")) write(disk.text(path) ?? "");
      else if (isBack && !path.endsWith(".gz")) status = fail(`${path}: unknown suffix -- ignored`, 2);
      else {
        disk.write(isBack ? path.slice(0, -3) : `${path}.gz`, file.bytes, file);
        if (!options.has("-k") && !options.has("--keep")) disk.remove(path);
      }
    }
    return status;
  };

const zcat: UnixProgram = (context) => {
  for (const path of context.args.length === 0 ? ["-"] : context.args) {
    const text = fileText(path, context);
    if (text === undefined) return 1;
    context.write(text);
  }
  return 0;
};

/** The programs that pack and unpack. What is packed here is a text, and gzip leaves it as it is. */
export const archivePrograms: UnixPrograms = { tar, gzip: gzip(false), gunzip: gzip(true), zcat };
