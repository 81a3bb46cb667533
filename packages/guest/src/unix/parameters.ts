import { arithmetic } from "./arithmetic.ts";
import { elementsOf, keyIn, keysOf, scalarOf, type Value, withElement } from "./shell-array.ts";
import { Discard, Fatal, type Session } from "./session.ts";

/** Returns the values that a shell gives for names other than variables. */
const special = (name: string, session: Session): readonly string[] | undefined => {
  const { args, effort, jobs, name: own, options, status } = session;
  const isBash = session.dialect === "bash";
  switch (name) {
    case "@":
    case "*":
      return args;
    case "#":
      return [String(args.length)];
    case "?":
      return [String(status)];
    case "$":
      return ["1234"];
    case "!":
      return jobs.length === 0 ? [] : [String(jobs.at(-1)?.id)];
    case "-":
      return [[...options].filter((option) => option.length === 1).join("")];
    case "0":
      return [own];
    case "PIPESTATUS":
      return isBash ? session.pipeStatus.map(String) : undefined;
    case "LINENO":
      return [String(session.line)];
    case "BASH_COMMAND":
      return isBash ? [session.command] : undefined;
    case "RANDOM":
      return isBash ? [String(effort.random())] : undefined;
    case "FUNCNAME":
      return isBash ? session.calls : undefined;
    default:
      return /^\d+$/.test(name) ? args.slice(Number(name) - 1, Number(name)) : undefined;
  }
};

/** Variables that bash sets by itself, unless a script has set them. */
const usual = (name: string, session: Session): string | undefined => {
  const known: Readonly<Record<string, string>> = {
    BASH: "/bin/bash",
    BASH_SOURCE: session.name,
    BASH_VERSION: "5.2.15(1)-release",
    BASHPID: "1234",
    EUID: "0",
    HOSTNAME: session.disk.text("/etc/hostname")?.trim() || "localhost",
    HOSTTYPE: "x86_64",
    IFS: " \t\n",
    MACHTYPE: "x86_64-pc-linux-gnu",
    OPTIND: "1",
    OSTYPE: "linux-gnu",
    PPID: "1",
    PWD: session.directory,
    SECONDS: "0",
    SHLVL: "1",
    UID: "0",
  };
  if (session.dialect === "dash" && !["IFS", "OPTIND", "PPID", "PWD"].includes(name)) return undefined;
  return Object.hasOwn(known, name) ? known[name] : undefined;
};

const valueOf = (name: string, session: Session): Value | undefined =>
  session.variables.get(name) ?? usual(name, session);

/** The texts that a name stands for, by the key of an element or `@`; none where it is not set. */
export const valuesOf = (name: string, index: string | undefined, session: Session): readonly string[] => {
  const list = special(name, session);
  if (list !== undefined && !session.variables.has(name)) {
    if (index === undefined) return name === "@" || name === "*" ? list : list.slice(0, 1);
    return index === "@" || index === "*" ? list : list.slice(Number(index), Number(index) + 1);
  }
  const value = valueOf(name, session);
  if (value === undefined) return [];
  if (index === "@" || index === "*") return elementsOf(value);
  const one = index === undefined ? scalarOf(value) : elementOf(value, keyFor(name, index, session));
  return one === undefined ? [] : [one];
};

const elementOf = (value: Value, key: string): string | undefined => {
  if (typeof value === "string") return key === "0" ? value : undefined;
  return value.entries.get(key);
};

/** The key of an element: of an array by number, what the expression is worth. */
export const keyFor = (name: string, index: string, session: Session): string => {
  const value = session.variables.get(name);
  if (typeof value === "object" && value.isAssociative) return index;
  return keyIn(value, String(calculated(index, session)));
};

/** The keys of an array. */
export const keysFor = (name: string, session: Session): readonly string[] => keysOf(valueOf(name, session));

/** Sets a variable or an element of it. */
export const setValue = (name: string, index: string | undefined, text: string, session: Session): void => {
  const value = session.integers.has(name) ? String(calculated(text, session)) : text;
  if (index === undefined) {
    const before = session.variables.get(name);
    session.set(name, typeof before === "object" ? withElement(before, "0", value) : value);
  } else session.set(name, withElement(session.variables.get(name), keyFor(name, index, session), value));
};

/** The value of an arithmetic expression, by the variables of a shell. */
export const calculated = (text: string, session: Session): number => {
  try {
    return arithmetic(text, {
      get: (name, index) => {
        const [value] = valuesOf(name, index, session);
        if (value === undefined && session.options.has("u")) {
          throw new Fatal(
            session.dialect === "bash" ? `${name}: unbound variable` : `${name}: parameter not set`,
            session.dialect === "bash" ? 1 : 2,
          );
        }
        return value ?? "0";
      },
      set: (name, value, index) => setValue(name, index, value, session),
    });
  } catch (error) {
    if (error instanceof Fatal || error instanceof Discard) throw error;
    const { message } = error as Error;
    throw session.dialect === "bash" ? new Discard(message) : new Fatal(message, 2);
  }
};
