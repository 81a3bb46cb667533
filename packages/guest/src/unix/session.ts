import type { Disk } from "../boot/disk.ts";
import type { Effort } from "./effort.ts";
import { scalarOf, type Value } from "./shell-array.ts";
import type { Command, Dialect } from "./syntax.ts";

/** Input of a program. */
export class Input {
  #text: string;

  constructor(text = "") {
    this.#text = text;
  }

  all(): string {
    const text = this.#text;
    this.#text = "";
    return text;
  }

  /** So many characters, or as many as there are. */
  take(count: number): string {
    const text = this.#text.slice(0, count);
    this.#text = this.#text.slice(count);
    return text;
  }

  /** Returns the text before the next end of a line, which is taken off as well; `undefined` when nothing is left. */
  line(ending = "\n"): { readonly text: string; readonly isEnded: boolean } | undefined {
    if (this.#text === "") return undefined;
    const end = this.#text.indexOf(ending);
    const text = end < 0 ? this.#text : this.#text.slice(0, end);
    this.#text = end < 0 ? "" : this.#text.slice(end + ending.length);
    return { text, isEnded: end >= 0 };
  }
}

/** The input or output of a descriptor. */
export interface Descriptor {
  readonly input?: Input;
  readonly write?: (text: string) => void;
}

/** Where a command reads and writes. `exec` changes those of its shell. */
export interface Streams {
  input: Input;
  out: (text: string) => void;
  err: (text: string) => void;
  /** Descriptors above 2. Default: none. */
  more?: ReadonlyMap<number, Descriptor>;
}

/** A background job of a shell. */
export interface Job {
  readonly id: number;
  readonly ended: Promise<number>;
  readonly stop: AbortController;
  isOver: boolean;
}

/** State of a running shell; a subshell has a copy. */
export class Session {
  readonly variables = new Map<string, Value>();
  readonly exported = new Set<string>();
  readonly functions = new Map<string, { readonly body: Command; readonly text: string }>();
  /** Set by `set`. */
  readonly options = new Set<string>();
  /** Set by `shopt`. */
  readonly shopt = new Set<string>();
  readonly readonly = new Set<string>();
  /** Variables whose values are calculated. */
  readonly integers = new Set<string>();
  /** Values that the local variables of each running function had before. */
  readonly frames: Map<string, Value | undefined>[] = [];
  /** Commands for signals by their names, and for `EXIT` and `ERR`. */
  readonly traps = new Map<string, string>();
  /** Ends of the commands of the last pipeline. */
  pipeStatus: readonly number[] = [0];
  readonly jobs: Job[] = [];
  /** Scripts of `>(...)` by the file that stands for them. */
  readonly processes = new Map<string, string>();
  readonly directories: string[] = [];
  /** Names of the functions that run, the innermost first. */
  calls: readonly string[] = [];
  /** Bits that new files do not get. */
  umask = 0o022;
  /** Files that `.` runs in one another. */
  sourced = 0;
  /** Where `getopts` is: the word, and the letter in it. */
  optionPlace = { index: 1, at: 1 };
  /** Loops that it is in. */
  loops = 0;
  /** The simple command that runs, as it stands in the script. */
  command = "";
  args: readonly string[] = [];
  /** Name of the shell in messages. */
  name: string;
  readonly dialect: Dialect;
  directory = "/";
  status = 0;
  /** Exit status of the last command substitution in the present simple command; `undefined` if it has none. */
  substituted: number | undefined;
  /** More than 0: a failure decides something, and ends nothing. */
  tested = 0;
  readonly disk: Disk;
  readonly effort: Effort;
  /** Aborted when the machine goes off, or when time is over. */
  readonly signal: AbortSignal;
  /** Where in its script it is. */
  line = 1;
  /** Shells and functions in one another. */
  depth = 0;

  constructor(options: {
    readonly disk: Disk;
    readonly effort: Effort;
    readonly signal: AbortSignal;
    readonly name: string;
    readonly dialect: Dialect;
  }) {
    this.disk = options.disk;
    this.effort = options.effort;
    this.signal = options.signal;
    this.name = options.name;
    this.dialect = options.dialect;
  }

  /** A copy that goes its own way. */
  fork(signal = this.signal): Session {
    const { dialect, disk, effort } = this;
    const copy = new Session({ disk, effort, signal, name: this.name, dialect });
    for (const [name, value] of this.variables) copy.variables.set(name, value);
    for (const name of this.exported) copy.exported.add(name);
    for (const [name, body] of this.functions) copy.functions.set(name, body);
    for (const option of this.options) copy.options.add(option);
    for (const option of this.shopt) copy.shopt.add(option);
    for (const name of this.readonly) copy.readonly.add(name);
    for (const name of this.integers) copy.integers.add(name);
    const errors = this.traps.get("ERR");
    if (errors !== undefined && this.options.has("E")) copy.traps.set("ERR", errors);
    for (const frame of this.frames) copy.frames.push(new Map(frame));
    copy.umask = this.umask;
    copy.loops = this.loops;
    copy.sourced = this.sourced;
    copy.calls = this.calls;
    copy.pipeStatus = this.pipeStatus;
    copy.command = this.command;
    copy.args = this.args;
    copy.directory = this.directory;
    copy.status = this.status;
    copy.tested = this.tested;
    copy.depth = this.depth;
    copy.line = this.line;
    return copy;
  }

  /** Returns the environment of the programs that it starts. */
  environment(): Readonly<Record<string, string>> {
    const entries = [...this.exported].flatMap((name) => {
      const value = scalarOf(this.variables.get(name));
      return value === undefined ? [] : [[name, value]];
    });
    return Object.fromEntries(entries) as Record<string, string>;
  }

  /** Sets a variable, unless it may not be set. */
  set(name: string, value: Value): void {
    if (this.readonly.has(name)) {
      if (this.dialect === "bash") throw new Discard(`${name}: readonly variable`);
      throw new Fatal(`${name}: is read only`, 2);
    }
    this.variables.set(name, value);
    if (this.options.has("a")) this.exported.add(name);
  }

  /** An absolute path, from the directory on. */
  path(path: string): string {
    return path.startsWith("/") ? path : `${this.directory}/${path}`;
  }
}

/** `exit`. */
export class Exit extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`exit ${status}`);
    this.status = status;
  }
}

/** `return`, `break` and `continue`, which leave what they are in. */
export class Leave extends Error {
  readonly kind: "return" | "break" | "continue";
  count: number;

  constructor(kind: Leave["kind"], count: number) {
    super(kind);
    this.kind = kind;
    this.count = count;
  }
}

/** Ends what stands on the same line of bash, with a message; dash has none of it. */
export class Discard extends Error {}

/** Ends a shell, with a message and a status. */
export class Fatal extends Error {
  readonly status: number;

  constructor(message: string, status = 2) {
    super(message);
    this.status = status;
  }
}
