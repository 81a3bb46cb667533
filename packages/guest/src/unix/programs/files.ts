import type { Disk } from "../../boot/disk.ts";
import { readOptions, type UnixContext, type UnixPrograms } from "../program.ts";

const nameOf = (path: string): string => path.replace(/\/+$/, "").split("/").at(-1) ?? "";

const folderOf = (path: string): string => {
  const at = path.replace(/\/+$/, "").lastIndexOf("/");
  return at < 0 ? "." : at === 0 ? "/" : path.slice(0, at);
};

/** Copies a file or, where it is a folder, all in it; whether there was something. */
const copy = (disk: Disk, from: string, to: string): boolean => {
  const file = disk.stat(from);
  if (file !== undefined) {
    disk.write(to, file.bytes, file);
    return true;
  }
  if (!disk.isDirectory(from)) return false;
  disk.makeDirectory(to);
  const prefix = `${from.replace(/\/\.?$/, "").replace(/^(?!\/)/, "/")}/`;
  for (const path of disk.paths()) {
    if (path.startsWith(prefix)) copy(disk, path, `${to}/${path.slice(prefix.length)}`);
  }
  return true;
};

const place = (disk: Disk, from: string, to: string): string =>
  to.endsWith("/") || disk.isDirectory(to) ? `${to}/${nameOf(from)}` : to;

const transfer = (context: UnixContext, remove: boolean): number => {
  const { args, disk, fail, session } = context;
  const { options, words } = readOptions(args, ["-t"]);
  const target = options.get("-t") ?? words.at(-1) ?? "";
  const sources = options.has("-t") ? words : words.slice(0, -1);
  if (sources.length === 0) return fail("missing file operand");
  if (!disk.isDirectory(folderOf(target))) {
    return fail(`cannot create regular file '${target}': No such file or directory`);
  }
  let status = 0;
  for (const source of sources) {
    const from = session.path(source);
    if (!copy(disk, from, place(disk, source, target))) {
      status = fail(`cannot stat '${source}': No such file or directory`);
    } else if (remove) {
      disk.removeDirectory(from);
      disk.remove(from);
    }
  }
  return status;
};

/** `user`, `user:group`, `:group`, `user:`. */
const owned = (given: string, before: string): string => {
  const [user = "", group] = given.split(":");
  const [oldUser = "root", oldGroup = "root"] = before.split(":");
  return `${user === "" ? oldUser : user}:${group === undefined ? oldGroup : group === "" ? user : group}`;
};

const mode = (given: string, before: string): string => {
  if (/^\d+$/.test(given)) return given.padStart(4, "0");
  const executes = /\+[rwX]*x/.test(given);
  const digits = before.slice(-3).split("").map(Number);
  const who = /^[ugo]+/.exec(given)?.[0] ?? "ugo";
  const bit = executes ? 1 : 0;
  return `0${digits.map((digit, index) => (who.includes("ugo".charAt(index)) ? digit | bit : digit)).join("")}`;
};

const install = (context: UnixContext): number => {
  const { args, disk, fail } = context;
  const { options, words } = readOptions(args, ["-m", "--mode", "-o", "-g", "-t"]);
  if (options.has("-d")) {
    for (const word of words) disk.makeDirectory(word);
    return 0;
  }
  const target = options.get("-t") ?? words.at(-1) ?? "";
  const permissions = (options.get("-m") ?? options.get("--mode") ?? "0755").padStart(4, "0");
  for (const source of options.has("-t") ? words : words.slice(0, -1)) {
    const file = disk.stat(source);
    if (file === undefined) return fail(`cannot stat '${source}': No such file or directory`);
    const to = place(disk, source, target);
    if (!options.has("-D") && !disk.isDirectory(folderOf(to))) {
      return fail(`cannot create regular file '${to}': No such file or directory`);
    }
    disk.write(to, file.bytes, { ...file, permissions });
  }
  return 0;
};

const remove = ({ args, disk, fail }: UnixContext): number => {
  const { options, words } = readOptions(args);
  const isForced = options.has("-f") || options.has("--force");
  let status = 0;
  for (const word of words) {
    if (disk.remove(word)) continue;
    if (!disk.isDirectory(word)) {
      status = isForced ? status : fail(`cannot remove '${word}': No such file or directory`);
    } else if (options.has("-r") || options.has("-R") || options.has("--recursive")) disk.removeDirectory(word);
    else status = fail(`cannot remove '${word}': Is a directory`);
  }
  return status;
};

const makeDirectory = ({ args, disk, fail }: UnixContext): number => {
  const { options, words } = readOptions(args, ["-m", "--mode"]);
  let status = 0;
  for (const word of words) {
    if (options.has("-p") || options.has("--parents")) disk.makeDirectory(word);
    else if (disk.isDirectory(word)) status = fail(`cannot create directory '${word}': File exists`);
    else if (disk.isDirectory(folderOf(word))) disk.makeDirectory(word);
    else status = fail(`cannot create directory '${word}': No such file or directory`);
  }
  return status;
};

const list = ({ args, disk, fail, session, write }: UnixContext): number => {
  const { options, words } = readOptions(args);
  for (const word of words.length === 0 ? ["."] : words) {
    const path = session.path(word).replace(/\/\.?$/, "");
    if (disk.stat(path) !== undefined || (options.has("-d") && disk.isDirectory(path))) write(`${word}\n`);
    else if (!disk.isDirectory(path)) return fail(`cannot access '${word}': No such file or directory`, 2);
    else {
      const inside = disk.paths().filter((each) => each.startsWith(`${path}/`));
      for (const name of new Set(inside.map((each) => each.slice(path.length + 1).split("/")[0]))) write(`${name}\n`);
    }
  }
  return 0;
};

/** Programs that work on files. */
export const filePrograms: UnixPrograms = {
  cat: ({ args, disk, fail, input, write }) => {
    let status = 0;
    const words = args.filter((word) => word === "-" || !word.startsWith("-"));
    if (words.length === 0) write(input.all());
    for (const word of words) {
      const text = word === "-" ? input.all() : disk.text(word);
      if (text === undefined) {
        status = fail(`${word}: ${disk.isDirectory(word) ? "Is a directory" : "No such file or directory"}`);
      } else write(text);
    }
    return status;
  },
  tee: ({ args, disk, fail, input, write }) => {
    const { options, words } = readOptions(args);
    const text = input.all();
    let status = 0;
    for (const word of words) {
      if (word === "/dev/null") continue;
      if (!disk.isDirectory(folderOf(word))) status = fail(`${word}: No such file or directory`);
      else if (options.has("-a")) disk.append(word, text);
      else disk.write(word, text, disk.stat(word));
    }
    write(text);
    return status;
  },
  cp: (context) => transfer(context, false),
  mv: (context) => transfer(context, true),
  ln: ({ args, disk, fail, session }) => {
    const { options, words } = readOptions(args);
    const [from = "", to = nameOf(from)] = words;
    const target = place(disk, from, to);
    if (disk.stat(target) !== undefined && !options.has("-f")) {
      return fail(`failed to create symbolic link '${to}': File exists`);
    }
    copy(disk, from.startsWith("/") ? from : session.path(`${folderOf(target)}/${from}`), target);
    return 0;
  },
  rm: remove,
  rmdir: ({ args, disk }) => {
    for (const word of args) disk.removeDirectory(word);
    return 0;
  },
  mkdir: makeDirectory,
  install,
  ls: list,
  chmod: ({ args, disk, fail }) => {
    const [given = "", ...paths] = args.filter((word) => !/^-[a-zA-Z]$/.test(word));
    let status = 0;
    for (const path of paths) {
      const file = disk.stat(path);
      if (file !== undefined) disk.write(path, file.bytes, { ...file, permissions: mode(given, file.permissions) });
      else if (!disk.isDirectory(path)) status = fail(`cannot access '${path}': No such file or directory`);
    }
    return status;
  },
  chown: ({ args, disk, fail }) => {
    const [owner = "", ...paths] = args.filter((word) => !word.startsWith("-"));
    for (const path of paths) {
      const file = disk.stat(path);
      if (file !== undefined) disk.write(path, file.bytes, { ...file, owner: owned(owner, file.owner) });
      else if (!disk.isDirectory(path)) return fail(`cannot access '${path}': No such file or directory`);
    }
    return 0;
  },
  stat: ({ args, disk, fail, write }) => {
    const { options, words } = readOptions(args, ["-c", "--format", "--printf"]);
    const format = options.get("-c") ?? options.get("--format") ?? options.get("--printf") ?? "%n %s %a %U:%G";
    let status = 0;
    for (const path of words) {
      const file = disk.stat(path);
      if (file === undefined && !disk.isDirectory(path)) {
        status = fail(`cannot statx '${path}': No such file or directory`);
        continue;
      }
      const { owner = "root:root", permissions = "0755", bytes = new Uint8Array() } = file ?? {};
      const [user = "root", group = "root"] = owner.split(":");
      const fields: Readonly<Record<string, string>> = {
        a: permissions.replace(/^0+(?=.)/, ""),
        U: user,
        G: group || "root",
        s: String(bytes.length),
        n: path,
        F: file === undefined ? "directory" : "regular file",
      };
      const text = format.replaceAll(/%([a-zA-Z])/g, (whole, name: string) => fields[name] ?? whole);
      write(options.has("--printf") ? text : `${text}\n`);
    }
    return status;
  },
  touch: ({ args, disk, fail }) => {
    for (const word of args.filter((each) => !each.startsWith("-"))) {
      if (!disk.isDirectory(folderOf(word))) return fail(`cannot touch '${word}': No such file or directory`);
      if (disk.stat(word) === undefined && !disk.isDirectory(word)) disk.write(word, "");
    }
    return 0;
  },
  mktemp: ({ args, disk, write }) => {
    let number = 0;
    const pathOf = (): string => `/tmp/tmp.${String(number).padStart(10, "0")}`;
    while (disk.stat(pathOf()) !== undefined || disk.isDirectory(pathOf())) number += 1;
    if (args.some((word) => /^-[a-z]*d/.test(word))) disk.makeDirectory(pathOf());
    else disk.write(pathOf(), "", { permissions: "0600" });
    write(`${pathOf()}\n`);
    return 0;
  },
  basename: ({ args: [path = "", suffix = ""], write }) => {
    const name = nameOf(path);
    write(`${suffix !== "" && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name}\n`);
    return 0;
  },
  dirname: ({ args: [path = ""], write }) => {
    write(`${folderOf(path)}\n`);
    return 0;
  },
  readlink: ({ args, session, write }) => {
    for (const word of args.filter((each) => !each.startsWith("-"))) write(`${session.path(word)}\n`);
    return 0;
  },
  realpath: ({ args, session, write }) => {
    for (const word of args.filter((each) => !each.startsWith("-"))) write(`${session.path(word)}\n`);
    return 0;
  },
  sync: () => 0,
};
