import { own } from "@capstan/schema";
import { Console } from "../boot/console.ts";
import type { Disk } from "../boot/disk.ts";
import { distributionOfScript } from "../internet/install-script.ts";
import type { MachineContext } from "../node/machine-context.ts";
import { Effort, EffortError, longestOutput } from "../unix/effort.ts";
import { findProgram, usualPath } from "../unix/find-program.ts";
import { Interpreter, type RunProgram } from "../unix/interpreter.ts";
import { programIn, type UnixContext, type UnixProgram, type UnixPrograms } from "../unix/program.ts";
import { Input, Session, type Streams } from "../unix/session.ts";
import type { Dialect } from "../unix/syntax.ts";

/** Runs the install script of k3s or RKE2. */
export type InstallDistribution = (name: "k3s" | "rke2", context: UnixContext) => Promise<number>;

export interface MachineShellOptions {
  readonly machine: Pick<MachineContext, "clock" | "disk" | "lenient" | "signal">;
  /** Programs that the model implements, by name. */
  readonly programs: UnixPrograms;
  readonly installDistribution: InstallDistribution;
}

export interface ScriptPlace {
  /** Name of the script in messages. */
  readonly name: string;
  readonly args?: readonly string[];
  readonly dialect: Dialect;
  readonly environment?: Readonly<Record<string, string>>;
  readonly directory?: string;
  readonly streams: Streams;
  /** Files as this script sees them. Default: the disk of the machine. */
  readonly disk?: Disk;
}

/** Variables that every process of the system has. */
const usual = { HOME: "/root", PATH: usualPath, SHELL: "/bin/bash", USER: "root", LANG: "C.UTF-8" } as const;

/** The shell of a machine: it finds programs on the disk and runs what the model knows of them. */
export class MachineShell {
  readonly #options: MachineShellOptions;
  readonly #interpreter: Interpreter;

  constructor(options: MachineShellOptions) {
    this.#options = options;
    this.#interpreter = new Interpreter((words, place) => this.#run(words, place));
  }

  /** Runs a script and resolves with its status. Rejects when the machine goes off. */
  async script(text: string, place: ScriptPlace): Promise<number> {
    const { machine } = this.#options;
    const { args = [], dialect, directory = "/", disk = machine.disk, environment = {}, name, streams } = place;
    const session = new Session({ disk, effort: new Effort(), signal: machine.signal, name, dialect });
    session.args = args;
    session.directory = directory;
    for (const [key, value] of Object.entries({ ...usual, ...environment })) {
      session.variables.set(key, value);
      session.exported.add(key);
    }
    try {
      return await this.#interpret(text, session, streams);
    } catch (error) {
      machine.signal.throwIfAborted();
      if (!(error instanceof EffortError)) throw error;
      streams.err(`${error.message}\n`);
      return 1;
    }
  }

  /** The dialect of what a script begins with; `undefined`: it is not for a shell. */
  dialectOf(interpreter: string): Dialect | undefined {
    if (/(?:^|[/ ])(?:bash|zsh|ksh)$/.test(interpreter)) return "bash";
    if (!/(?:^|[/ ])(?:sh|dash)$/.test(interpreter)) return undefined;
    return /^ID="?(?:ubuntu|debian)"?$/m.test(this.#options.machine.disk.text("/etc/os-release") ?? "")
      ? "dash"
      : "bash";
  }

  async #interpret(text: string, session: Session, streams: Streams): Promise<number> {
    const distribution = distributionOfScript(text.replace(/^set -\w+;/, ""));
    if (distribution === undefined) return this.#interpreter.script(text, session, streams);
    const environment = session.environment();
    return this.#options.installDistribution(
      distribution,
      this.#context(["install", ...session.args], { session, streams, environment }),
    );
  }

  #run: RunProgram = async (words, place) => {
    const { session, streams } = place;
    const [name = ""] = words;
    const path = findProgram(name, session);
    const said =
      session.dialect === "bash" ? `${session.name}: line ${session.line}` : `${session.name}: ${session.line}`;
    if (path === undefined) {
      if (!this.#options.machine.lenient) return notFound(name, said, { session, streams });
      return this.#known(name.split("/").at(-1) ?? name, words, place);
    }
    const text = session.disk.text(path) ?? "";
    const program = programIn(text);
    if (program === undefined) return this.#file(path, text, words, place);
    // k3s is several programs, which go by the name that they are called.
    const called = name.split("/").at(-1) ?? name;
    const isCalled = program.name === "k3s" && own(this.#options.programs, called) !== undefined;
    return this.#known(isCalled ? called : program.name, words, place);
  };

  /** Runs the model of a program that is on the machine; a lenient machine has every program. */
  async #known(name: string, words: readonly string[], place: Parameters<RunProgram>[1]): Promise<number> {
    const known = own(this.#options.programs, name);
    if (known !== undefined) return this.#program(known, words, place);
    return this.#unknown(name, "program", place);
  }

  /** Fails a program that is there but not modelled: a script that continued as if it had run would show nothing about a real machine. */
  #unknown(name: string, what: string, { streams }: Parameters<RunProgram>[1]): number {
    const { lenient } = this.#options.machine;
    streams.err(
      lenient
        ? `${name}: the model does not know what it does, and takes it as done\n`
        : `${name}: this ${what} is on the simulated machine, but the model does not know what it does; a real machine may do it\n`,
    );
    return lenient ? 0 : 1;
  }

  async #program(program: UnixProgram, words: readonly string[], place: Parameters<RunProgram>[1]): Promise<number> {
    const context = this.#context(words, place);
    try {
      return await program(context);
    } catch (error) {
      place.session.signal.throwIfAborted();
      if (error instanceof EffortError) throw error;
      return context.fail((error as Error).message);
    }
  }

  /** A file of the machine: a script by its first line, else by the shell that was asked. */
  async #file(path: string, text: string, words: readonly string[], place: Parameters<RunProgram>[1]): Promise<number> {
    const { session, streams } = place;
    const [first = ""] = text.split("\n", 1);
    const isBash = session.dialect === "bash";
    const interpreter = first.startsWith("#!") ? first.slice(2).trim() : undefined;
    if (interpreter !== undefined && first.endsWith("\r")) {
      streams.err(
        isBash
          ? hasNewBash(session.disk)
            ? `${session.name}: line ${session.line}: ${words[0]}: cannot execute: required file not found\n`
            : `${session.name}: ${words[0]}: ${interpreter}^M: bad interpreter: No such file or directory\n`
          : `${session.name}: ${session.line}: ${words[0]}: not found\n`,
      );
      return isBash && !hasNewBash(session.disk) ? 126 : 127;
    }
    const [command = "", ...flags] = (interpreter ?? (isBash ? "/bin/bash" : "/bin/sh")).split(/\s+/);
    const dialect = this.dialectOf(command.endsWith("/env") ? (flags[0] ?? "") : command);
    if (dialect === undefined) {
      return this.#unknown(path, `script of ${interpreter}`, place);
    }
    const set = flags.filter((flag) => /^-[eux]+$/.test(flag)).map((flag) => `set ${flag};`);
    return this.#child(`${set.join("")}${text}`, { name: path, args: words.slice(1), dialect }, place);
  }

  /** A script in a shell of its own, which has what was exported. */
  #child(
    text: string,
    script: { readonly name: string; readonly args: readonly string[]; readonly dialect: Dialect },
    { environment, session, streams }: Parameters<RunProgram>[1],
  ): Promise<number> {
    const child = new Session({
      disk: session.disk,
      effort: session.effort,
      signal: session.signal,
      name: script.name,
      dialect: script.dialect,
    });
    child.args = script.args;
    child.directory = session.directory;
    child.depth = session.depth + 1;
    for (const [name, value] of Object.entries(environment)) {
      child.variables.set(name, value);
      child.exported.add(name);
    }
    return this.#interpret(text, child, streams);
  }

  #context(words: readonly string[], place: Parameters<RunProgram>[1]): UnixContext {
    const { environment, session, streams } = place;
    const { clock } = this.#options.machine;
    const [name = "", ...args] = words;
    const plain = name.split("/").at(-1) ?? name;
    return {
      name: plain,
      args,
      disk: session.disk.within(session.directory),
      console: new Console({ clock, mirror: (line) => streams.err(`${line}\n`) }),
      variables: environment,
      environment,
      input: streams.input,
      get stdin() {
        return streams.input.all();
      },
      write: limited(streams.out),
      signal: session.signal,
      session,
      streams,
      fail: (message, status = 1) => {
        streams.err(`${plain}: ${message}\n`);
        return status;
      },
      run: (inner, { environment: more = {}, input, signal, without = [] } = {}) =>
        this.#run(inner, {
          session: signal === undefined ? session : session.fork(signal),
          environment: {
            ...Object.fromEntries(Object.entries(environment).filter(([key]) => !without.includes(key))),
            ...more,
          },
          streams: input === undefined ? streams : { ...streams, input: new Input(input) },
        }),
      runScript: (text, script) => this.#child(text, script, place),
    };
  }
}

/** From bash 5.2 on, which Debian 12 and Ubuntu 24.04 have, a script whose interpreter is not there ends in other words. */
const hasNewBash = (disk: Disk): boolean => {
  const release = disk.text("/etc/os-release") ?? "";
  const number = Number(/^VERSION_ID="?(\d+)/m.exec(release)?.[1] ?? 0);
  return number >= (/^ID="?ubuntu/m.test(release) ? 24 : 12);
};

/** As much as one program prints. */
const limited = (out: Streams["out"]): Streams["out"] => {
  let length = 0;
  return (text) => {
    length += text.length;
    if (length > longestOutput) throw new Error(`prints more than ${longestOutput} characters`);
    out(text);
  };
};

const notFound = (
  name: string,
  said: string,
  { session, streams }: { readonly session: Session; readonly streams: Streams },
): number => {
  const isBash = session.dialect === "bash";
  const isFile = name.includes("/") && session.disk.stat(session.path(name)) !== undefined;
  const isFolder = name.includes("/") && session.disk.isDirectory(session.path(name));
  const why = isFile
    ? "Permission denied"
    : isFolder
      ? isBash
        ? "Is a directory"
        : "Permission denied"
      : isBash
        ? name.includes("/")
          ? "No such file or directory"
          : "command not found"
        : "not found";
  streams.err(`${said}: ${name}: ${why}\n`);
  return isFile || isFolder ? 126 : 127;
};
