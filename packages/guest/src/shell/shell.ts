import { own } from "@capstan/schema";
import type { Console } from "../boot/console.ts";
import type { Disk } from "../boot/disk.ts";
import type { Command } from "../boot/cloud-config.ts";
import { Effort, EffortError, longestOutput } from "./effort.ts";
import { type CommandLoop, parseShell, type ShellCommand, type SimpleCommand } from "./parse.ts";
import { takeSubstitutions, withSubstitutions } from "./substitution.ts";

/** What a modelled program sees and may change. */
export interface ProgramContext {
  readonly disk: Disk;
  readonly console: Console;
  readonly args: readonly string[];
  /** Variables that stand before the command. */
  readonly variables: Readonly<Record<string, string>>;
  readonly stdin: string;
  /** Appends to standard output. */
  readonly write: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Returns the exit status; a thrown error is printed and counts as status 1. */
export type Program = (context: ProgramContext) => number | Promise<number>;

export interface ShellOptions {
  readonly disk: Disk;
  readonly console: Console;
  readonly programs: Readonly<Record<string, Program>>;
  readonly signal: AbortSignal;
  /** Somebody waits for its end: loops run too, and what cannot be parsed has failed. */
  readonly isScript?: boolean;
  /** Variables of a script. Default: none are replaced. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** A command that fails ends the script, as after `set -e`. Default false. */
  readonly stopsAtFailure?: boolean;
  /** Is given what is printed. Default: the console. */
  readonly output?: (text: string) => void;
  /** Is given what is printed by `>&2`. Default: the console. */
  readonly errors?: (text: string) => void;
  /** What the script that it belongs to has done so far. Default: it is one by itself. */
  readonly effort?: Effort;
  /** Commands whose output stands in words, by their numbers there. */
  readonly substitutions?: readonly string[];
}

/** While commands run. */
type Running = ShellOptions & { readonly effort: Effort };

/** 2 for what the model does not know. */
const test = ({ args, disk }: Pick<ProgramContext, "args" | "disk">): number => {
  const [first, operator, second] = args;
  if (args.length === 3 && operator === "=") return first === second ? 0 : 1;
  if (args.length === 3 && operator === "!=") return first === second ? 1 : 0;
  if (operator === undefined) return first === undefined || first === "" ? 1 : 0;
  if (first === "-f" || first === "-s") return disk.stat(operator) === undefined ? 1 : 0;
  if (first === "-d") return disk.isDirectory(operator) ? 0 : 1;
  if (first === "-e") return disk.stat(operator) !== undefined || disk.isDirectory(operator) ? 0 : 1;
  return 2;
};

/** The programs every machine has. */
export const basePrograms: Readonly<Record<string, Program>> = {
  true: () => 0,
  false: () => 1,
  ":": () => 0,
  echo: ({ args, write }) => {
    const bare = args[0] === "-n";
    write(`${args.slice(bare ? 1 : 0).join(" ")}${bare ? "" : "\n"}`);
    return 0;
  },
  cat: ({ args, disk, stdin, write, console }) => {
    if (args.length === 0) write(stdin);
    for (const path of args) {
      const text = disk.text(path);
      if (text === undefined) {
        console.print("cat", `${path}: No such file or directory`);
        return 1;
      }
      write(text);
    }
    return 0;
  },
  "[": (context) => {
    const { args, console } = context;
    const status = test({ ...context, args: args.slice(0, -1) });
    if (args.at(-1) === "]" && status !== 2) return status;
    console.print("[", "not modelled, taken as success");
    return 0;
  },
  test: (context) => test(context),
  tail: ({ args, disk, console, write }) => {
    const [flag, count, path = ""] = args;
    const text = flag === "-c" ? disk.stat(path) : undefined;
    if (text === undefined) {
      console.print("tail", flag === "-c" ? `${path}: No such file or directory` : "only -c is modelled");
      return 1;
    }
    write(new TextDecoder().decode(text.bytes.subarray(-Number(count))));
    return 0;
  },
  mkdir: () => 0,
  umask: () => 0,
  chmod: ({ args: [permissions = "", ...paths], disk }) => {
    for (const path of paths) {
      const file = disk.stat(path);
      if (file !== undefined && /^\d+$/.test(permissions)) disk.write(path, file.bytes, { ...file, permissions });
    }
    return 0;
  },
  cp: ({ args, console, disk }) => {
    const [from = "", to = ""] = args.filter((argument) => !argument.startsWith("-"));
    const file = disk.stat(from);
    if (file === undefined) {
      console.print("cp", `cannot stat '${from}': No such file or directory`);
      return 1;
    }
    disk.write(to.endsWith("/") || disk.isDirectory(to) ? `${to}/${from.split("/").at(-1)}` : to, file.bytes, file);
    return 0;
  },
  rm: ({ args, disk }) => {
    for (const path of args.filter((argument) => !argument.startsWith("-"))) disk.remove(path);
    return 0;
  },
};

/**
 * Runs one command of a bootstrap document as `sh` would and returns its exit status. Programs the model does not know,
 * and shell constructs it does not parse, are named on the console and count as success; in a script the latter fail.
 */
export const runCommand = async (command: Command, given: ShellOptions): Promise<number> => {
  const options = { ...given, effort: given.effort ?? new Effort() };
  if (typeof command !== "string") {
    return (await runSimple({ join: "always", words: command, redirects: [] }, "", options)).status;
  }
  const { environment, isScript = false } = options;
  const { commands: substitutions, line } = takeSubstitutions(command);
  const isKnown = substitutions.every((inner) => isModelled(parseShell(inner, { environment }), options));
  const commands = isKnown ? parseShell(line, { loops: isScript, environment }) : undefined;
  if (commands === undefined) {
    const taken = isScript ? "not modelled" : "not modelled, taken as success";
    options.console.print("sh", `${taken}: ${firstWords(command)}`);
    return isScript ? 2 : 0;
  }
  return runList(commands, { ...options, substitutions });
};

/** Whether the model knows all programs of some commands, so that what they print is worth something. */
const isModelled = (commands: readonly ShellCommand[] | undefined, { programs }: ShellOptions): boolean =>
  commands?.every((command) => "words" in command && own(programs, programName(command.words)) !== undefined) === true;

const programName = (words: readonly string[]): string =>
  (words.find((word) => !isAssignment(word) && word !== "sudo") ?? "").split("/").at(-1) ?? "";

const runList = async (commands: readonly ShellCommand[], options: Running): Promise<number> => {
  let status = 0;
  let output = "";
  for (const [index, command] of commands.entries()) {
    if (command.join === "and" && status !== 0) continue;
    if (command.join === "or" && status === 0) continue;
    if ("group" in command || "until" in command) {
      status = "group" in command ? await runList(command.group, options) : await runLoop(command, options);
      output = "";
      if (ends(status, commands[index + 1], options)) return status;
      continue;
    }
    const result = await runSimple(command, command.join === "pipe" ? output : "", options);
    status = result.status;
    output = result.output;
    const piped = commands[index + 1]?.join === "pipe";
    if (!piped && output !== "") print(output, options);
    if (ends(status, commands[index + 1], options)) return status;
  }
  return status;
};

/** After `set -e`, a failure ends everything unless what follows depends on it. */
const ends = (status: number, next: ShellCommand | undefined, { stopsAtFailure = false }: ShellOptions): boolean =>
  stopsAtFailure && status !== 0 && (next === undefined || next.join === "always");

/** The script ends itself. */
export class ScriptExit extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`exit ${status}`);
    this.status = status;
  }
}

/** What the substitution with a number prints. */
const printed = async (index: number, options: Running): Promise<string> => {
  let text = "";
  const output = (more: string): void => void (text += more);
  await runCommand(options.substitutions?.[index] ?? "", { ...options, output, stopsAtFailure: false });
  return text;
};

const printErrors = (text: string, { console, errors }: ShellOptions): void => {
  if (errors === undefined) console.print("sh", text);
  else errors(text);
};

const print = (text: string, { console, output }: ShellOptions): void => {
  if (output === undefined) console.print("sh", text);
  else output(text);
};

const runLoop = async ({ body, until }: CommandLoop, options: Running): Promise<number> => {
  let status = 0;
  while ((await runList(until, { ...options, stopsAtFailure: false })) !== 0) {
    options.signal.throwIfAborted();
    status = await runList(body, options);
  }
  return status;
};

const runSimple = async (
  command: SimpleCommand,
  stdin: string,
  options: Running,
): Promise<{ readonly status: number; readonly output: string }> => {
  await options.effort.step(options.signal);
  const filled: string[] = [];
  for (const word of command.words) filled.push(await withSubstitutions(word, (index) => printed(index, options)));
  const assignments = filled.filter((_, index, all) => all.slice(0, index + 1).every(isAssignment));
  const words = filled.slice(assignments.length);
  const variables = Object.fromEntries(
    assignments.map((word) => [word.split("=", 1)[0] ?? "", word.slice(word.indexOf("=") + 1)]),
  );
  const [name, ...args] = words[0] === "sudo" ? words.slice(1) : words;
  if (name === undefined) return { status: 0, output: "" };
  let output = "";
  let status: number;
  const program = own(options.programs, name.split("/").at(-1) ?? name);
  if (program === undefined) {
    options.console.print("sh", `${name}: not modelled, taken as success`);
    status = 0;
  } else {
    try {
      const write = (text: string): void => {
        output += text;
        if (output.length > longestOutput) throw new Error(`prints more than ${longestOutput} characters`);
      };
      status = await program({
        disk: options.disk,
        console: options.console,
        args,
        variables,
        stdin,
        write,
        signal: options.signal,
      });
    } catch (error) {
      options.signal.throwIfAborted();
      if (error instanceof ScriptExit || error instanceof EffortError) throw error;
      options.console.print(name, (error as Error).message);
      status = 1;
    }
  }
  for (const redirect of command.redirects) {
    if (redirect.mode === "errors") {
      if (output !== "") printErrors(output, options);
      continue;
    }
    if (redirect.path === "/dev/null") continue;
    if (redirect.mode === "append") options.disk.append(redirect.path, output);
    else options.disk.write(redirect.path, output);
  }
  return { status, output: command.redirects.length > 0 ? "" : output };
};

const isAssignment = (word: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*=/.test(word);

const firstWords = (command: string): string => command.trim().split(/\s+/).slice(0, 3).join(" ");
