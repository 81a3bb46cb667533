import { type Builtin, type BuiltinContext, complain } from "./builtin.ts";
import { declare, exporting, local, readonly } from "./builtin-declare.ts";
import { jobs, kill, trap, wait } from "./builtin-jobs.ts";
import { printf } from "./builtin-printf.ts";
import { mapfile, read } from "./builtin-read.ts";
import { runTest } from "./builtin-test.ts";
import { findProgram } from "./find-program.ts";
import { unescaped } from "./escapes.ts";
import { calculated, keyFor } from "./parameters.ts";
import { Discard, Exit, Fatal, Leave, type Session } from "./session.ts";
import { withElement } from "./shell-array.ts";

export type { Declared } from "./builtin.ts";

const longOptions: Readonly<Record<string, string>> = {
  allexport: "a",
  errexit: "e",
  errtrace: "E",
  noglob: "f",
  nounset: "u",
  verbose: "v",
  xtrace: "x",
};

const set: Builtin = ({ args, session }) => {
  const rest = [...args];
  while (/^[-+]./.test(rest[0] ?? "")) {
    const word = rest.shift() ?? "";
    if (word === "--") {
      session.args = rest;
      return 0;
    }
    const put = (option: string): void =>
      void (word.startsWith("-") ? session.options.add(option) : session.options.delete(option));
    for (const letter of word.slice(1)) {
      if (letter === "o") {
        const name = rest.shift() ?? "";
        if (name === "pipefail" && session.dialect === "dash") throw new Fatal("set: Illegal option -o pipefail");
        put(Object.hasOwn(longOptions, name) ? (longOptions[name] ?? name) : name);
      } else if (!/[a-zA-Z]/.test(letter)) throw new Fatal(`set: Illegal option -${letter}`);
      else put(letter);
    }
    if (rest.length === 0) return 0;
  }
  if (args.length > 0) session.args = rest;
  return 0;
};

const echo: Builtin = ({ args, session, streams }) => {
  const isBash = session.dialect === "bash";
  let [bare, escapes] = [false, !isBash];
  let words = args;
  while (isBash ? /^-[neE]+$/.test(words[0] ?? "") : words[0] === "-n") {
    const [word = ""] = words;
    bare ||= word.includes("n");
    const last = Array.from(word).findLast((letter) => "eE".includes(letter));
    if (last !== undefined) escapes = last === "e";
    words = words.slice(1);
  }
  const text = words.join(" ");
  streams.out(`${escapes ? unescaped(text) : text}${bare ? "" : "\n"}`);
  return 0;
};

const goTo = (to: string, context: BuiltinContext, name = "cd"): number => {
  const { session } = context;
  const path = session.path(to);
  if (!session.disk.isDirectory(path)) {
    const isFile = session.disk.stat(path) !== undefined;
    if (session.dialect === "dash") return complain(context, `${name}: can't cd to ${to}`, 2);
    return complain(context, `${name}: ${to}: ${isFile ? "Not a directory" : "No such file or directory"}`);
  }
  session.variables.set("OLDPWD", session.directory);
  session.directory = plainPath(path);
  session.variables.set("PWD", session.directory);
  return 0;
};

/** A path without `.` and `..`. */
const plainPath = (path: string): string => {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
};

const cd: Builtin = (context) => {
  const { session, streams } = context;
  const words = context.args.filter((word) => !/^-[LPe]$/.test(word) && word !== "--");
  if (words.length > 1 && session.dialect === "bash") return complain(context, "cd: too many arguments");
  const [to = String(session.variables.get("HOME") ?? "/root")] = words;
  if (to !== "-") return goTo(to, context);
  const status = goTo(String(session.variables.get("OLDPWD") ?? "/"), context);
  if (status === 0) streams.out(`${session.directory}\n`);
  return status;
};

const stack = ({ directories, directory }: Session): string => `${[directory, ...directories].join(" ")}\n`;

const pushd: Builtin = (context) => {
  const { args, session, streams } = context;
  const { directory } = session;
  const status = goTo(args.find((word) => !word.startsWith("-")) ?? session.directories[0] ?? "/", context, "pushd");
  if (status !== 0) return status;
  session.directories.unshift(directory);
  streams.out(stack(session));
  return 0;
};

const popd: Builtin = (context) => {
  const { session, streams } = context;
  const to = session.directories.shift();
  if (to === undefined) return complain(context, "popd: directory stack empty");
  const status = goTo(to, context, "popd");
  if (status === 0) streams.out(stack(session));
  return status;
};

const source: Builtin = async (context) => {
  const { evaluate, session } = context;
  const [path = "", ...args] = context.args;
  const text = session.disk.text(session.path(path));
  if (text === undefined) {
    const isBash = session.dialect === "bash";
    if (!isBash) throw new Fatal(`.: cannot open ${path}: No such file`);
    return complain(
      context,
      `${path}: ${session.disk.isDirectory(session.path(path)) ? "Is a directory" : "No such file or directory"}`,
    );
  }
  const before = session.args;
  if (args.length > 0) session.args = args;
  session.sourced += 1;
  try {
    return await evaluate(text);
  } catch (error) {
    if (error instanceof Leave && error.kind === "return") return session.status;
    throw error;
  } finally {
    session.sourced -= 1;
    session.args = before;
  }
};

const command: Builtin = ({ args, run, session, streams }) => {
  const words = args.filter((word, index) => index > 0 || word !== "-p");
  if (words[0] !== "-v" && words[0] !== "-V") return run(words);
  const [, name = ""] = words;
  const isKnown = builtins.has(name) || session.functions.has(name) || keywords.has(name);
  const path = isKnown ? name : findProgram(name, session);
  if (path === undefined) return session.dialect === "dash" ? 127 : 1;
  streams.out(`${path}\n`);
  return 0;
};

const keywords = new Set("if then elif else fi while until for do done case esac function select time [[ {".split(" "));

const type: Builtin = (context) => {
  const { args, session, streams } = context;
  const isShort = args[0] === "-t";
  let status = 0;
  for (const name of args.filter((word) => !word.startsWith("-"))) {
    const path = findProgram(name, session);
    const kind = keywords.has(name)
      ? "keyword"
      : session.functions.has(name)
        ? "function"
        : builtins.has(name)
          ? "builtin"
          : path === undefined
            ? undefined
            : "file";
    if (kind === undefined) {
      status = session.dialect === "dash" ? 127 : 1;
      if (!isShort) complain(context, `type: ${name}: not found`);
    } else if (isShort) streams.out(`${kind}\n`);
    else {
      streams.out(
        `${name} is ${kind === "file" ? path : kind === "keyword" ? "a shell keyword" : kind === "function" ? "a function" : "a shell builtin"}\n`,
      );
    }
  }
  return status;
};

const leave =
  (kind: Leave["kind"]): Builtin =>
  (context) => {
    const { args, session } = context;
    const [count] = args;
    if (kind !== "return") {
      if (session.loops > 0) throw new Leave(kind, Math.max(1, Number(count ?? 1)));
      if (session.dialect === "bash") {
        complain(context, `${kind}: only meaningful in a \`for', \`while', or \`until' loop`);
      }
      return 0;
    }
    if (session.calls.length === 0 && session.sourced === 0 && session.dialect === "bash") {
      return complain(context, "return: can only `return' from a function or sourced script", 2);
    }
    session.status = Number(count ?? session.status) & 255;
    throw new Leave(kind, 1);
  };

const unset: Builtin = ({ args, session }) => {
  for (const word of args.filter((each) => !/^-[fvn]$/.test(each))) {
    const [, name = word, key] = /^(\w+)\[(.+)\]$/.exec(word) ?? [];
    if (session.readonly.has(name)) throw new Discard(`unset: ${name}: cannot unset: readonly variable`);
    if (key === undefined) {
      if (!args.includes("-f")) session.variables.delete(name);
      if (!args.includes("-v")) session.functions.delete(name);
    } else {
      const plain = keyFor(name, key.replace(/^(["'])(.*)\1$/, "$2"), session);
      session.variables.set(name, withElement(session.variables.get(name), plain, undefined));
    }
  }
  return 0;
};

const letting: Builtin = (context) => {
  let last = 0;
  for (const text of context.args) {
    try {
      last = calculated(text, context.session);
    } catch (error) {
      if (!(error instanceof Discard)) throw error;
      return complain(context, `let: ${error.message}`);
    }
  }
  return last === 0 ? 1 : 0;
};

const shopt: Builtin = ({ args, session }) => {
  const names = args.filter((word) => !word.startsWith("-"));
  for (const name of names) {
    if (args.includes("-s")) session.shopt.add(name);
    if (args.includes("-u")) session.shopt.delete(name);
  }
  if (args.includes("-s") || args.includes("-u")) return 0;
  return names.every((name) => session.shopt.has(name)) ? 0 : 1;
};

const umask: Builtin = ({ args: [mode], session, streams }) => {
  if (mode === undefined) streams.out(`${session.umask.toString(8).padStart(4, "0")}\n`);
  else if (/^[0-7]+$/.test(mode)) session.umask = Number.parseInt(mode, 8);
  return 0;
};

const getopts: Builtin = ({ args: [wanted = "", name = "", ...given], session }) => {
  const words = given.length > 0 ? given : session.args;
  const place = Number(session.variables.get("OPTIND") ?? 1);
  if (place !== session.optionPlace.index) session.optionPlace = { index: place, at: 1 };
  const { at } = session.optionPlace;
  const word = words[place - 1] ?? "";
  const end = (index: number, status: number): number => {
    session.variables.set("OPTIND", String(index));
    session.optionPlace = { index, at: 1 };
    return status;
  };
  if (!/^-./.test(word) || word === "--") {
    session.variables.set(name, "?");
    return end(word === "--" ? place + 1 : place, 1);
  }
  const letter = word.charAt(at);
  const isLast = at + 1 >= word.length;
  const found = wanted.replace(/^:/, "").indexOf(letter);
  const takesValue = wanted.replace(/^:/, "").charAt(found + 1) === ":";
  session.variables.delete("OPTARG");
  if (found < 0 || letter === ":") {
    session.variables.set(name, "?");
    session.variables.set("OPTARG", letter);
  } else if (takesValue) {
    const value = isLast ? words[place] : word.slice(at + 1);
    session.variables.set(name, value === undefined ? (wanted.startsWith(":") ? ":" : "?") : letter);
    session.variables.set("OPTARG", value ?? letter);
    return end(isLast && value !== undefined ? place + 2 : place + 1, 0);
  } else session.variables.set(name, letter);
  if (isLast) return end(place + 1, 0);
  session.optionPlace = { index: place, at: at + 1 };
  return 0;
};

const exit: Builtin = (context) => {
  const {
    args: [status],
    session,
  } = context;
  if (status !== undefined && !/^-?\d+$/.test(status)) {
    throw new Exit(complain(context, `exit: ${status}: numeric argument required`, 2));
  }
  throw new Exit(Number(status ?? session.status) & 255);
};

const shift: Builtin = ({ args: [count = "1"], session }) => {
  if (Number(count) > session.args.length) {
    if (session.dialect === "dash") throw new Fatal("shift: can't shift that many");
    return 1;
  }
  session.args = session.args.slice(Number(count));
  return 0;
};

const nothing: Builtin = () => 0;

/** Built-in commands of the shell, by name. */
export const builtins: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  [":", nothing],
  ["true", nothing],
  ["false", () => 1],
  ["set", set],
  ["[", runTest("[")],
  ["test", runTest("test")],
  ["echo", echo],
  ["printf", printf],
  ["export", exporting],
  ["readonly", readonly],
  ["local", local],
  ["declare", declare],
  ["typeset", declare],
  ["let", letting],
  ["cd", cd],
  ["pushd", pushd],
  ["popd", popd],
  ["dirs", ({ session, streams }) => (streams.out(stack(session)), 0)],
  ["pwd", ({ session, streams }) => (streams.out(`${session.directory}\n`), 0)],
  [".", source],
  ["source", source],
  ["eval", ({ args, evaluate }) => evaluate(args.join(" "))],
  [
    "exec",
    async ({ args, run }) => {
      throw new Exit(await run(args));
    },
  ],
  ["exit", exit],
  ["return", leave("return")],
  ["break", leave("break")],
  ["continue", leave("continue")],
  ["read", read],
  ["mapfile", mapfile],
  ["readarray", mapfile],
  ["getopts", getopts],
  ["command", command],
  ["type", type],
  ["trap", trap],
  ["kill", kill],
  ["wait", wait],
  ["jobs", jobs],
  ["disown", nothing],
  ["shift", shift],
  ["unset", unset],
  ["umask", umask],
  ["shopt", shopt],
  ["ulimit", nothing],
  ["hash", nothing],
  ["complete", nothing],
]);
