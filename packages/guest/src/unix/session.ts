import type { Disk } from "../boot/disk.ts";
import type { Effort } from "./effort.ts";
import type { Command, Dialect } from "./syntax.ts";

/** What a program reads from. */
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

  /** The next line without its end; `undefined` when there is none. */
  line(): string | undefined {
    if (this.#text === "") return undefined;
    const end = this.#text.indexOf("\n");
    const line = end < 0 ? this.#text : this.#text.slice(0, end);
    this.#text = end < 0 ? "" : this.#text.slice(end + 1);
    return line;
  }
}

export interface Streams {
  readonly input: Input;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** What a shell knows while it runs; a subshell has a copy. */
export class Session {
  readonly variables = new Map<string, string | readonly string[]>();
  readonly exported = new Set<string>();
  readonly functions = new Map<string, Command>();
  readonly options = new Set<string>();
  /** Of the functions that run: what their local variables had before. */
  readonly frames: Map<string, string | readonly string[] | undefined>[] = [];
  /** Run when the shell ends. */
  trap: string | undefined;
  args: readonly string[] = [];
  /** What it calls itself in messages. */
  name: string;
  readonly dialect: Dialect;
  directory = "/";
  status = 0;
  /** How the last command has ended whose output stands in a word. */
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
    const { dialect, disk, effort, name } = this;
    const copy = new Session({ disk, effort, signal, name, dialect });
    for (const [name, value] of this.variables) copy.variables.set(name, value);
    for (const name of this.exported) copy.exported.add(name);
    for (const [name, body] of this.functions) copy.functions.set(name, body);
    for (const option of this.options) copy.options.add(option);
    copy.args = this.args;
    copy.directory = this.directory;
    copy.status = this.status;
    copy.tested = this.tested;
    copy.depth = this.depth;
    copy.line = this.line;
    return copy;
  }

  /** What a program that it starts sees. */
  environment(): Readonly<Record<string, string>> {
    const entries = [...this.exported].flatMap((name) => {
      const value = this.variables.get(name);
      return value === undefined ? [] : [[name, typeof value === "string" ? value : (value[0] ?? "")]];
    });
    return Object.fromEntries(entries) as Record<string, string>;
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

/** Ends a shell, with a message and a status. */
export class Fatal extends Error {
  readonly status: number;

  constructor(message: string, status = 2) {
    super(message);
    this.status = status;
  }
}
