import type { Console } from "../boot/console.ts";
import type { Disk } from "../boot/disk.ts";
import type { Input, Session, Streams } from "./session.ts";
import type { Dialect } from "./syntax.ts";

/** Everything a modelled program can read and change, whichever shell started it. */
export interface ProgramContext {
  readonly disk: Disk;
  readonly console: Console;
  readonly args: readonly string[];
  /** Its environment. */
  readonly variables: Readonly<Record<string, string>>;
  readonly stdin: string;
  /** Appends to standard output. */
  readonly write: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Returns the exit status; a thrown error is printed and counts as status 1. */
export type Program = (context: ProgramContext) => number | Promise<number>;

/** Everything a program of a machine can read and change. Relative paths of its disk begin in the directory of its shell. */
export interface UnixContext extends ProgramContext {
  /** Name that it was called by. */
  readonly name: string;
  /** Its input, also read by `stdin`. */
  readonly input: Input;
  readonly environment: Readonly<Record<string, string>>;
  readonly session: Session;
  readonly streams: Streams;
  /** Prints a line to its errors, with its name before it. */
  readonly fail: (message: string, status?: number) => number;
  /** Runs another program. */
  readonly run: (
    words: readonly string[],
    options?: {
      readonly input?: string;
      readonly environment?: Readonly<Record<string, string>>;
      /** Variables that it does not see. */
      readonly without?: readonly string[];
      /** Ends it before its time. */
      readonly signal?: AbortSignal;
    },
  ) => Promise<number>;
  /** Runs a script by a shell of its own. */
  readonly runScript: (
    text: string,
    options: { readonly name: string; readonly args: readonly string[]; readonly dialect: Dialect },
  ) => Promise<number>;
}

/** Returns the exit status. */
export type UnixProgram = (context: UnixContext) => number | Promise<number>;

export type UnixPrograms = Readonly<Record<string, UnixProgram>>;

/** Words apart from options; `valued` are options that take the next word. */
export const readOptions = (
  args: readonly string[],
  valued: readonly string[] = [],
): { readonly options: ReadonlyMap<string, string>; readonly words: readonly string[] } => {
  const options = new Map<string, string>();
  const words: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? "";
    if (word === "--") {
      words.push(...args.slice(index + 1));
      break;
    }
    const [name = "", value] = /^--[\w-]+=/.test(word)
      ? [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)]
      : [word];
    if (value !== undefined) options.set(name, value);
    else if (valued.includes(word)) options.set(word, args[(index += 1)] ?? "");
    else if (/^--?[a-zA-Z]/.test(word)) {
      options.set(word, "");
      if (!word.startsWith("--")) index += readLetters(word, args[index + 1], { valued, options }) ? 1 : 0;
    } else words.push(word);
  }
  return { options, words };
};

/** Letters that stand together; whether the last of them takes the next word. */
const readLetters = (
  word: string,
  next: string | undefined,
  { options, valued }: { readonly valued: readonly string[]; readonly options: Map<string, string> },
): boolean => {
  for (let at = 1; at < word.length; at += 1) {
    const letter = `-${word.charAt(at)}`;
    if (!valued.includes(letter)) {
      options.set(letter, "");
      continue;
    }
    const attached = word.slice(at + 1);
    options.set(letter, attached === "" ? (next ?? "") : attached);
    return attached === "";
  }
  return false;
};

const mark = "\u007FELF ";

/** Returns the content of a file that is a program of the model. */
export const programFile = (name: string, version: string): string => `${mark}${name} ${version}\n`;

/** The program in a file; `undefined`: there is none. */
export const programIn = (text: string): { readonly name: string; readonly version: string } | undefined => {
  if (!text.startsWith(mark)) return undefined;
  const [name = "", version = ""] = text.slice(mark.length).trim().split(" ");
  return { name, version };
};
