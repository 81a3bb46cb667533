import { findProgram } from "./find-program.ts";
import { binaryTest, unary } from "./condition.ts";
import { unescaped } from "./reader.ts";
import { Exit, Fatal, Leave, type Session, type Streams } from "./session.ts";

interface BuiltinContext {
  readonly args: readonly string[];
  readonly session: Session;
  readonly streams: Streams;
  /** Runs a text in this shell. */
  readonly evaluate: (text: string) => Promise<number>;
  /** Runs a command in this shell. */
  readonly run: (words: readonly string[]) => Promise<number>;
}

type Builtin = (context: BuiltinContext) => number | Promise<number>;

const longOptions: Readonly<Record<string, string>> = { errexit: "e", noglob: "f", nounset: "u", xtrace: "x" };

const set: Builtin = ({ args, session }) => {
  const rest = [...args];
  while (/^[-+]./.test(rest[0] ?? "")) {
    const word = rest.shift() ?? "";
    if (word === "--") break;
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

const test = (words: readonly string[], session: Session): boolean => {
  const [first = "", second = "", third = ""] = words;
  const or = words.indexOf("-o", 1);
  if (or > 0 && words.length > 3) return test(words.slice(0, or), session) || test(words.slice(or + 1), session);
  const and = words.indexOf("-a", 1);
  if (and > 0 && words.length > 3) return test(words.slice(0, and), session) && test(words.slice(and + 1), session);
  if (words.length === 0) return false;
  if (words.length === 1) return first !== "";
  if (first === "!") return !test(words.slice(1), session);
  if (words.length === 2) return known(unary(first, second, session), first);
  if (words.length === 3) return known(binaryTest(first, second, third), second);
  throw new Error(`${third}: unexpected operator`);
};

const known = (result: boolean | undefined, operator: string): boolean => {
  if (result === undefined) throw new Error(`${operator}: unexpected operator`);
  return result;
};

const runTest =
  (name: string): Builtin =>
  ({ args, session, streams }) => {
    try {
      if (name === "[" && args.at(-1) !== "]") throw new Error("missing ]");
      return test(name === "[" ? args.slice(0, -1) : args, session) ? 0 : 1;
    } catch (error) {
      streams.err(`${session.name}: ${name}: ${(error as Error).message}\n`);
      return 2;
    }
  };

const echo: Builtin = ({ args, session, streams }) => {
  const isBash = session.dialect === "bash";
  let [bare, escapes] = [false, !isBash];
  let words = args;
  while (isBash ? /^-[neE]+$/.test(words[0] ?? "") : words[0] === "-n") {
    bare ||= words[0]?.includes("n") === true;
    escapes ||= words[0]?.includes("e") === true;
    words = words.slice(1);
  }
  const text = words.join(" ");
  streams.out(`${escapes ? unescaped(text) : text}${bare ? "" : "\n"}`);
  return 0;
};

const printf: Builtin = ({ args: [format = "", ...given], streams }) => {
  const values = [...given];
  do {
    streams.out(
      unescaped(format.replaceAll("%%", "\uE001"))
        .replace(/%-?0?(\d*)([sdqb])/g, (_, width: string, kind: string) => {
          const value = values.shift() ?? (kind === "d" ? "0" : "");
          return (kind === "b" ? unescaped(value) : value).padStart(Number(width));
        })
        .replaceAll("\uE001", "%"),
    );
  } while (values.length > 0 && /%-?\d*[sdqb]/.test(format));
  return 0;
};

const assign = (word: string, session: Session): string => {
  const at = word.indexOf("=");
  const name = at < 0 ? word : word.slice(0, at);
  if (at >= 0) session.variables.set(name, word.slice(at + 1));
  return name;
};

const declare: Builtin = ({ args, session }) => {
  for (const word of args) {
    if (word.startsWith("-")) continue;
    const name = assign(word, session);
    if (args[0]?.startsWith("-") === true && args[0].includes("x")) session.exported.add(name);
  }
  return 0;
};

/** In a function: what the name had before is back after it. */
const local: Builtin = (context) => {
  const { args, session } = context;
  for (const word of args) {
    const [name = ""] = word.split("=", 1);
    const frame = session.frames.at(-1);
    if (frame === undefined || word.startsWith("-") || frame.has(name)) continue;
    frame.set(name, session.variables.get(name));
    session.variables.delete(name);
  }
  return declare(context);
};

/** Without arguments it prints what is exported. */
const exporting: Builtin = ({ args, session, streams }) => {
  if (args.every((word) => word === "-p")) {
    for (const [name, value] of Object.entries(session.environment()).toSorted(([one], [other]) =>
      one < other ? -1 : 1,
    )) {
      streams.out(
        session.dialect === "bash"
          ? `declare -x ${name}=${JSON.stringify(value)}\n`
          : `export ${name}='${value.replaceAll("'", `'"'"'`)}'\n`,
      );
    }
    return 0;
  }
  for (const word of args) if (!word.startsWith("-")) session.exported.add(assign(word, session));
  return 0;
};

const cd: Builtin = ({ args: [to = session0], session, streams }) => {
  const path = to === "-" ? String(session.variables.get("OLDPWD") ?? "/") : session.path(to);
  if (!session.disk.isDirectory(path)) {
    streams.err(
      `${session.name}: cd: ${session.dialect === "bash" ? `${to}: No such file or directory` : `can't cd to ${to}`}\n`,
    );
    return session.dialect === "bash" ? 1 : 2;
  }
  session.variables.set("OLDPWD", session.directory);
  session.directory = new URL(`file://${path}`).pathname.replace(/(?<=.)\/$/, "");
  session.variables.set("PWD", session.directory);
  return 0;
};
/** Where `cd` goes without an argument. */
const session0 = "/root";

const source: Builtin = async ({ args: [path = "", ...args], evaluate, session, streams }) => {
  const text = session.disk.text(session.path(path));
  if (text === undefined) {
    streams.err(`${session.name}: ${path}: No such file or directory\n`);
    return 1;
  }
  const before = session.args;
  if (args.length > 0) session.args = args;
  try {
    return await evaluate(text);
  } catch (error) {
    if (error instanceof Leave && error.kind === "return") return session.status;
    throw error;
  } finally {
    session.args = before;
  }
};

const read: Builtin = ({ args, session, streams }) => {
  const names = args.filter((word, index) => !word.startsWith("-") && !/^-[pdtn]$/.test(args[index - 1] ?? ""));
  const line = streams.input.line();
  const fields = (line ?? "").trim().split(/[ \t]+/);
  for (const [index, name] of names.entries()) {
    session.variables.set(name, index === names.length - 1 ? fields.slice(index).join(" ") : (fields[index] ?? ""));
  }
  return line === undefined ? 1 : 0;
};

const command: Builtin = ({ args, run, session, streams }) => {
  if (args[0] !== "-v" && args[0] !== "-V") return run(args);
  const [, name = ""] = args;
  const isKnown = builtins.has(name) || session.functions.has(name);
  const path = isKnown ? name : findProgram(name, session);
  if (path === undefined) return session.dialect === "dash" ? 127 : 1;
  streams.out(`${path}\n`);
  return 0;
};

const type: Builtin = ({ args, session, streams }) => {
  let status = 0;
  for (const name of args.filter((word) => !word.startsWith("-"))) {
    const path = builtins.has(name) ? "a shell builtin" : findProgram(name, session);
    if (path === undefined) status = session.dialect === "dash" ? 127 : 1;
    if (path === undefined) streams.err(`${session.name}: type: ${name}: not found\n`);
    else streams.out(`${name} is ${path}\n`);
  }
  return status;
};

const leave =
  (kind: Leave["kind"]): Builtin =>
  ({ args: [count], session }) => {
    if (kind === "return") {
      session.status = Number(count ?? session.status);
      throw new Leave(kind, 1);
    }
    throw new Leave(kind, Math.max(1, Number(count ?? 1)));
  };

const trap: Builtin = ({ args: [text, ...signals], session }) => {
  if (text !== undefined && signals.some((signal) => signal === "EXIT" || signal === "0")) {
    session.trap = text === "-" ? undefined : text;
  }
  return 0;
};

const nothing: Builtin = () => 0;

/** What the shell itself does. */
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
  ["readonly", declare],
  ["local", local],
  ["declare", declare],
  ["typeset", declare],
  ["cd", cd],
  ["pwd", ({ session, streams }) => (streams.out(`${session.directory}\n`), 0)],
  [".", source],
  ["source", source],
  ["eval", ({ args, evaluate }) => evaluate(args.join(" "))],
  [
    "exec",
    async ({ args, run }) => {
      if (args.length === 0) return 0;
      throw new Exit(await run(args));
    },
  ],
  [
    "exit",
    ({ args: [status], session }) => {
      throw new Exit(Number(status ?? session.status) & 255);
    },
  ],
  ["return", leave("return")],
  ["break", leave("break")],
  ["continue", leave("continue")],
  ["read", read],
  ["command", command],
  ["type", type],
  ["trap", trap],
  [
    "shift",
    ({ args: [count = "1"], session }) => {
      if (Number(count) > session.args.length) return 1;
      session.args = session.args.slice(Number(count));
      return 0;
    },
  ],
  [
    "unset",
    ({ args, session }) => {
      for (const name of args) {
        session.variables.delete(name);
        session.functions.delete(name);
      }
      return 0;
    },
  ],
  ["wait", nothing],
  ["umask", nothing],
  ["ulimit", nothing],
  ["shopt", nothing],
  ["hash", nothing],
]);
