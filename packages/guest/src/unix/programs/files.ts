import { deviceText } from "../devices.ts";
import { readOptions, type UnixProgram, type UnixPrograms } from "../program.ts";
import { attributePrograms } from "./attributes.ts";
import { transfer } from "./copy.ts";
import { find } from "./find.ts";
import { install } from "./install.ts";
import { list } from "./list.ts";
import { changedMode, newFileMode, newFolderMode } from "./modes.ts";
import { below, folderOf, nameOf, placeIn } from "./paths.ts";
import { stat } from "./stat.ts";

const remove: UnixProgram = ({ args, disk, fail }) => {
  const { options, words } = readOptions(args);
  const isForced = options.has("-f") || options.has("--force");
  const isDeep = options.has("-r") || options.has("-R") || options.has("--recursive");
  let status = 0;
  for (const word of words) {
    if (disk.remove(word)) continue;
    if (!disk.isDirectory(word)) {
      status = isForced ? status : fail(`cannot remove '${word}': No such file or directory`);
    } else if (isDeep) disk.removeDirectory(word);
    else status = fail(`cannot remove '${word}': Is a directory`);
  }
  return status;
};

const removeEmpty: UnixProgram = ({ args, disk, fail }) => {
  let status = 0;
  for (const word of args.filter((each) => !each.startsWith("-"))) {
    if (!disk.isDirectory(word)) status = fail(`failed to remove '${word}': No such file or directory`);
    else if (below(disk, word).length > 0) {
      status = args.includes("--ignore-fail-on-non-empty")
        ? status
        : fail(`failed to remove '${word}': Directory not empty`);
    } else disk.removeDirectory(word);
  }
  return status;
};

const makeDirectory: UnixProgram = ({ args, disk, fail, session }) => {
  const { options, words } = readOptions(args, ["-m", "--mode"]);
  const asked = options.get("-m") ?? options.get("--mode");
  const usual = newFolderMode(session);
  const permissions = asked === undefined ? usual : changedMode(asked, usual, true);
  let status = 0;
  for (const word of words) {
    const isThere = disk.isDirectory(word);
    const isDeep = options.has("-p") || options.has("--parents");
    if (disk.stat(word) !== undefined) status = fail(`cannot create directory ‘${word}’: File exists`);
    else if (isDeep && isThere) continue;
    else if (isThere) status = fail(`cannot create directory ‘${word}’: File exists`);
    else if (isDeep || disk.isDirectory(folderOf(word))) disk.makeDirectory(word, { permissions });
    else status = fail(`cannot create directory ‘${word}’: No such file or directory`);
  }
  return status;
};

const link: UnixProgram = ({ args, disk, fail }) => {
  const { options, words } = readOptions(args, ["-t"]);
  const isSymbolic = options.has("-s") || options.has("--symbolic");
  const isForced = options.has("-f") || options.has("--force");
  const target = options.get("-t") ?? (words.length > 1 ? words.at(-1) : undefined);
  for (const from of options.has("-t") || words.length === 1 ? words : words.slice(0, -1)) {
    const to = target ?? nameOf(from);
    const isWhole = options.has("-n") || options.has("-T") || options.has("--no-dereference");
    const path = isWhole && disk.link(to) !== undefined ? to : placeIn(disk, from, to);
    const isThere = disk.stat(path) !== undefined || disk.link(path) !== undefined || disk.isDirectory(path);
    const kind = isSymbolic ? "symbolic" : "hard";
    if (isThere && !isForced) return fail(`failed to create ${kind} link '${path}': File exists`);
    if (isThere && disk.isDirectory(path) && disk.link(path) === undefined) {
      return fail(`${path}: cannot overwrite directory`);
    }
    if (!disk.isDirectory(folderOf(path))) {
      return fail(`failed to create ${kind} link '${path}': No such file or directory`);
    }
    if (isSymbolic) disk.makeLink(path, from);
    else {
      const file = disk.stat(from);
      if (file === undefined) return fail(`failed to access '${from}': No such file or directory`);
      disk.write(path, file.bytes, file);
    }
  }
  return 0;
};

const makeTemporary: UnixProgram = ({ args, disk, fail, write }) => {
  const { options, words } = readOptions(args, ["-p", "--tmpdir"]);
  const [template] = words;
  const base = options.get("-p") || "/tmp";
  const [, stem = "", signs = "", suffix = ""] = /^(.*?)(X{3,})([^X/]*)$/.exec(template ?? "tmp.XXXXXXXXXX") ?? [];
  if (signs === "") return fail(`too few X's in template ‘${template}’`);
  const prefix =
    stem.startsWith("/") || (template !== undefined && !options.has("-p") && !options.has("-t"))
      ? stem
      : `${base}/${stem}`;
  if (!disk.isDirectory(folderOf(prefix === "" ? "." : `${prefix}x`))) {
    return fail(`failed to create file via template ‘${template ?? ""}’: No such file or directory`);
  }
  let number = 0;
  const pathOf = (): string => `${prefix}${String(number).padStart(signs.length, "0")}${suffix}`;
  while (disk.stat(pathOf()) !== undefined || disk.isDirectory(pathOf())) number += 1;
  if (options.has("-d") || options.has("--directory")) disk.makeDirectory(pathOf(), { permissions: "0700" });
  else if (!options.has("-u")) disk.write(pathOf(), "", { permissions: "0600" });
  write(`${pathOf()}\n`);
  return 0;
};

const readLink: UnixProgram = ({ args, disk, write }) => {
  const { options, words } = readOptions(args);
  const isWhole = ["-f", "-e", "-m", "--canonicalize"].some((name) => options.has(name));
  let status = 0;
  for (const word of words) {
    const found = isWhole ? disk.resolve(word) : disk.link(word);
    const isThere = !options.has("-e") || disk.stat(word) !== undefined || disk.isDirectory(word);
    if (found === undefined || !isThere) status = 1;
    else write(`${found}${options.has("-n") ? "" : "\n"}`);
  }
  return status;
};

const visible = (text: string, isAll: boolean): string =>
  isAll ? text.replaceAll("\t", "^I").replaceAll("\r", "^M").replaceAll("\n", "$\n") : text;

const cat: UnixProgram = ({ args, disk, fail, input, session, write }) => {
  let status = 0;
  const isAll = args.some((word) => /^-\w*A/.test(word));
  const words = args.filter((word) => word === "-" || !word.startsWith("-"));
  let line = 0;
  const say = (text: string): void => {
    const shown = visible(text, isAll);
    const isNumbered = args.some((word) => /^-\w*n/.test(word));
    write(isNumbered ? shown.replace(/^.*\n|.+$/gm, (each) => `${String((line += 1)).padStart(6)}\t${each}`) : shown);
  };
  if (words.length === 0) say(input.all());
  for (const word of words) {
    const text = word === "-" || word === "/dev/stdin" ? input.all() : (deviceText(word, session) ?? disk.text(word));
    if (text === undefined) {
      status = fail(`${word}: ${disk.isDirectory(word) ? "Is a directory" : "No such file or directory"}`);
    } else say(text);
  }
  return status;
};

const tee: UnixProgram = ({ args, disk, fail, input, session, streams, write }) => {
  const { options, words } = readOptions(args);
  const text = input.all();
  let status = 0;
  for (const word of words) {
    if (word === "/dev/null") continue;
    if (word === "/dev/stderr") streams.err(text);
    else if (word === "/dev/stdout" || word === "/dev/tty" || word === "/dev/console") write(text);
    else if (!disk.isDirectory(folderOf(word))) status = fail(`${word}: No such file or directory`);
    else if (disk.isDirectory(word)) status = fail(`${word}: Is a directory`);
    else if ((options.has("-a") || options.has("--append")) && disk.stat(word) !== undefined) disk.append(word, text);
    else disk.write(word, text, disk.stat(word) ?? { permissions: newFileMode(session) });
  }
  write(text);
  return status;
};

/** Programs that work on files. */
export const filePrograms: UnixPrograms = {
  cat,
  tee,
  cp: (context) => transfer(context, false),
  mv: (context) => transfer(context, true),
  ln: link,
  rm: remove,
  unlink: remove,
  rmdir: removeEmpty,
  mkdir: makeDirectory,
  install,
  ls: list,
  find,
  ...attributePrograms,
  stat,
  touch: ({ args, disk, fail, session }) => {
    let status = 0;
    const { options, words } = readOptions(args, ["-d", "-t", "-r"]);
    for (const word of words) {
      if (!disk.isDirectory(folderOf(word))) status = fail(`cannot touch '${word}': No such file or directory`);
      else if (disk.stat(word) === undefined && !disk.isDirectory(word) && !options.has("-c")) {
        disk.write(word, "", { permissions: newFileMode(session) });
      }
    }
    return status;
  },
  mktemp: makeTemporary,
  basename: ({ args, write }) => {
    const { options, words } = readOptions(args, ["-s"]);
    const suffix = options.get("-s") ?? words[1] ?? "";
    for (const path of options.has("-a") || options.has("-s") ? words : words.slice(0, 1)) {
      const name = nameOf(path);
      write(`${suffix !== "" && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name}\n`);
    }
    return 0;
  },
  dirname: ({ args, write }) => {
    for (const path of args) write(`${folderOf(path)}\n`);
    return 0;
  },
  readlink: readLink,
  realpath: ({ args, disk, fail, write }) => {
    let status = 0;
    for (const word of args.filter((each) => !each.startsWith("-"))) {
      if (!disk.isDirectory(folderOf(disk.resolve(word)))) status = fail(`${word}: No such file or directory`);
      else write(`${disk.resolve(word)}\n`);
    }
    return status;
  },
  sync: () => 0,
};
