import { archive, filesIn } from "../internet/archive.ts";
import { programIn, readOptions, type UnixContext, type UnixPrograms } from "../unix/program.ts";

const isExecutable = (text: string): boolean => programIn(text) !== undefined || text.startsWith("#!");

const stripped = (path: string, count: number): string => path.replace(/^\.\//, "").split("/").slice(count).join("/");

const unpack = (
  context: UnixContext,
  text: string,
  options: ReadonlyMap<string, string>,
  members: readonly string[],
): number => {
  const files = filesIn(text);
  if (files === undefined) {
    context.streams.err(
      "\ngzip: stdin: not in gzip format\ntar: Child returned status 1\ntar: Error is not recoverable: exiting now\n",
    );
    return 2;
  }
  const folder = options.get("-C") ?? options.get("--directory") ?? ".";
  if (!context.disk.isDirectory(folder)) {
    context.streams.err(
      `tar: ${folder}: Cannot open: No such file or directory\ntar: Error is not recoverable: exiting now\n`,
    );
    return 2;
  }
  const plain = (path: string): string => path.replace(/^\.\//, "");
  for (const [path, content] of Object.entries(files)) {
    if (members.length > 0 && !members.some((member) => plain(member) === plain(path))) continue;
    const name = stripped(path, Number(options.get("--strip-components") ?? 0));
    if (name === "") continue;
    context.disk.write(`${folder}/${name}`, content, { permissions: isExecutable(content) ? "0755" : "0644" });
  }
  for (const member of members) {
    if (Object.keys(files).some((path) => plain(path) === plain(member))) continue;
    context.streams.err(
      `tar: ${member}: Not found in archive\ntar: Exiting with failure status due to previous errors\n`,
    );
    return 2;
  }
  return 0;
};

const tar = (context: UnixContext): number => {
  const { args, disk, input } = context;
  const [first = ""] = args;
  const { options, words } = readOptions(/^[a-zA-Z]+$/.test(first) ? [`-${first}`, ...args.slice(1)] : args, [
    "-C",
    "--directory",
    "-f",
    "--file",
    "--strip-components",
    "--exclude",
  ]);
  const path = options.get("-f") ?? options.get("--file") ?? "-";
  const [firstWord] = words;
  if (options.has("-c")) {
    const entries = words.flatMap((word) =>
      disk.paths().filter((each) => each === word || each.startsWith(`${word}/`)),
    );
    const text = archive(Object.fromEntries(entries.map((each) => [each.slice(1), disk.text(each) ?? ""])));
    if (path === "-") context.write(text);
    else disk.write(path, text);
    return 0;
  }
  const text = path === "-" ? input.all() : disk.text(path);
  if (text === undefined) {
    context.streams.err(
      `tar: ${path}: Cannot open: No such file or directory\ntar: Error is not recoverable: exiting now\n`,
    );
    return 2;
  }
  if (options.has("-t")) {
    for (const name of Object.keys(filesIn(text) ?? {})) context.write(`${name}\n`);
    return 0;
  }
  return unpack(context, text, options, firstWord === undefined ? [] : words);
};

/** The programs that unpack. What is packed here is a text, and gzip leaves it as it is. */
export const archivePrograms: UnixPrograms = {
  tar,
  gzip: ({ input, write }) => (write(input.all()), 0),
  gunzip: ({ input, write }) => (write(input.all()), 0),
  zcat: ({ args: [path = ""], disk, write }) => (write(disk.text(path) ?? ""), 0),
};
