import type { Clock } from "@capstan/contract";
import { own } from "@capstan/schema";
import type { GuestRunV1 } from "@capstan/contract/v1";
import { Console } from "../boot/console.ts";
import type { Disk } from "../boot/disk.ts";
import { RE2JS } from "re2js";
import { Effort, longestOutput } from "../unix/effort.ts";
import type { Program } from "../unix/program.ts";
import { Exit } from "../unix/session.ts";
import { type Command, type Expression, parsePowerShell, type Statement, type Value } from "./powershell-parse.ts";
import { diskPath, pathOnDisk } from "./windows-path.ts";

export interface PowerShellOptions {
  readonly clock: Clock;
  readonly disk: Disk;
  /** Programs by name, without `.exe`. */
  readonly programs: Readonly<Record<string, Program>>;
  readonly signal: AbortSignal;
}

/** Arguments of a cmdlet: by parameter name in lower case, and the rest in order. */
interface Given {
  readonly named: Readonly<Record<string, Value>>;
  readonly rest: readonly Value[];
}

interface Session extends PowerShellOptions {
  readonly variables: Map<string, Value>;
  readonly console: Console;
  readonly effort: Effort;
  failed: boolean;
}

/** Returns what it prints, or its value. */
type Cmdlet = (given: Given, session: Session) => Value | Promise<Value>;

const first = ({ named, rest }: Given, name: string): string => String(named[name] ?? rest[0] ?? "");
const second = ({ named, rest }: Given, name: string): string =>
  String(named[name] ?? (named["path"] === undefined ? rest[1] : rest[0]) ?? "");

const fail = (session: Session, cmdlet: string, words: string): undefined => {
  session.failed = true;
  session.console.print(cmdlet, words);
  return undefined;
};

const later =
  (unitMs: number) =>
  (of: Value, [by]: readonly Value[]): Value =>
    Number(of) + Number(by) * unitMs;

/** Methods and properties of values, and those of Math. */
const methods: Readonly<Record<string, (of: Value, given: readonly Value[]) => Value>> = {
  addmilliseconds: later(1),
  addseconds: later(1000),
  addminutes: later(60_000),
  addhours: later(3_600_000),
  length: (of) => String(of ?? "").length,
  substring: (of, [from, length]) =>
    String(of ?? "").slice(Number(from), length === undefined ? undefined : Number(from) + Number(length)),
  trim: (of) => String(of ?? "").trim(),
  "math.max": (_, given) => Math.max(...given.map(Number)),
  "math.min": (_, given) => Math.min(...given.map(Number)),
};

const cmdlets: Readonly<Record<string, Cmdlet>> = {
  "test-path": (given, { disk }) => {
    const path = pathOnDisk(first(given, "path"), disk);
    return disk.stat(path) !== undefined || disk.isDirectory(path);
  },
  "get-date": (_, { clock }) => clock.now(),
  "start-sleep": async ({ named, rest }, { clock, signal }) => {
    const ms = named["milliseconds"] ?? named["m"];
    const seconds = Number(named["seconds"] ?? named["s"] ?? rest[0] ?? 0);
    await clock.sleep(ms === undefined ? seconds * 1000 : Number(ms), { signal });
    return undefined;
  },
  "write-output": ({ rest }) => rest.map(String).join("\n"),
  "write-host": ({ rest }) => rest.map(String).join(" "),
  "get-content": (given, session) => {
    const path = first(given, "path");
    const text = session.disk.text(pathOnDisk(path, session.disk));
    if (text === undefined) {
      return fail(session, "Get-Content", `Cannot find path '${path}' because it does not exist.`);
    }
    const lines = text.replace(/\n$/, "").split("\n");
    const tail = given.named["tail"];
    return lines.slice(tail === undefined ? 0 : -Number(tail)).join("\n");
  },
  "set-content": (given, { disk }) => {
    disk.write(pathOnDisk(first(given, "path"), disk), `${second(given, "value")}\n`);
    return undefined;
  },
  "add-content": (given, { disk }) => {
    disk.append(pathOnDisk(first(given, "path"), disk), `${second(given, "value")}\n`);
    return undefined;
  },
  "new-item": (given, { disk }) => {
    const isFolder = String(given.named["itemtype"] ?? "File").toLowerCase() === "directory";
    if (!isFolder) disk.write(pathOnDisk(first(given, "path"), disk), String(given.named["value"] ?? ""));
    return undefined;
  },
  "remove-item": (given, { disk }) => {
    disk.remove(pathOnDisk(first(given, "path"), disk));
    return undefined;
  },
};

const aliases: Readonly<Record<string, string>> = {
  echo: "write-output",
  cat: "get-content",
  type: "get-content",
  sleep: "start-sleep",
  mkdir: "new-item",
};

/** Parameters that are given by being there. */
const switches = new Set(["force", "raw", "nonewline"]);

const givenOf = async (parts: readonly Expression[], session: Session): Promise<Given> => {
  const named: Record<string, Value> = {};
  const rest: Value[] = [];
  let name: string | undefined;
  for (const part of parts) {
    const value = await valueOf(part, session);
    const parameter =
      part.kind === "value" && typeof value === "string" ? /^-([A-Za-z]+)$/.exec(value)?.[1]?.toLowerCase() : undefined;
    if (parameter !== undefined) {
      named[parameter] = true;
      name = switches.has(parameter) ? undefined : parameter;
    } else if (name === undefined) rest.push(value);
    else {
      named[name] = value;
      name = undefined;
    }
  }
  return { named, rest };
};

/** A program that is no cmdlet, such as kubeadm. */
const runProgram = async ({ name, arguments: parts }: Command, session: Session): Promise<Value> => {
  const file = diskPath(name).split("/").at(-1) ?? "";
  const program = own(session.programs, file.replace(/\.exe$/i, "").toLowerCase());
  if (program === undefined) {
    return fail(
      session,
      name,
      `The term '${name}' is not recognized as the name of a cmdlet, function, script file, or operable program.`,
    );
  }
  const args: string[] = [];
  for (const part of parts) args.push(String(await valueOf(part, session)));
  let output = "";
  const { disk, console, signal } = session;
  const write = (text: string): void => void (output += text);
  session.failed = (await program({ disk, console, args, variables: {}, stdin: "", write, signal })) !== 0;
  return output === "" ? undefined : output.replace(/\n$/, "");
};

const runCommand = async (command: Command, session: Session): Promise<Value> => {
  const name = command.name.toLowerCase();
  const cmdlet = own(cmdlets, own(aliases, name) ?? name);
  session.failed = false;
  const value =
    cmdlet === undefined
      ? await runProgram(command, session)
      : await cmdlet(await givenOf(command.arguments, session), session);
  if (command.redirect === undefined) return command.quiet ? undefined : value;
  const path = pathOnDisk(String(await valueOf(command.redirect.path, session)), session.disk);
  const text = value === undefined ? "" : `${String(value)}\n`;
  if (command.redirect.append) session.disk.append(path, text);
  else session.disk.write(path, text);
  return undefined;
};

const expanded = (text: string, { variables }: Session): string =>
  held(
    text
      .replaceAll('""', '"')
      .replaceAll(/\$\{?([A-Za-z_]\w*)\}?/g, (_, name: string) => String(variables.get(name.toLowerCase()) ?? ""))
      .replaceAll(/`([\s\S])/g, (_, sign: string) => ({ n: "\n", t: "\t" })[sign] ?? sign),
  );

const held = (text: string): string => {
  if (text.length <= longestOutput) return text;
  throw new SyntaxError(`a text has more than ${longestOutput} characters, which is not modelled`);
};

/** Patterns in the dialect of RE2: none takes longer than its length times that of the text. */
const matches = (pattern: string, text: string): boolean => {
  if (pattern.length > 1000 || text.length > 10_000) throw new SyntaxError("matching so long a text is not modelled");
  return RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE).matcher(text).find();
};

const compared = (operator: string, left: Value, right: Value): Value => {
  if (operator === "-eq") return String(left).toLowerCase() === String(right).toLowerCase();
  if (operator === "-ne") return String(left).toLowerCase() !== String(right).toLowerCase();
  if (operator === "-join") {
    return String(left ?? "")
      .split("\n")
      .join(String(right));
  }
  if (operator === "-") return Number(left) - Number(right);
  if (operator === "-match") return matches(String(right), String(left));
  if (operator === "-lt") return Number(left) < Number(right);
  if (operator === "-le") return Number(left) <= Number(right);
  if (operator === "-gt") return Number(left) > Number(right);
  if (operator === "-ge") return Number(left) >= Number(right);
  if (operator === "+") {
    return typeof left === "number" ? left + Number(right) : held(`${String(left ?? "")}${String(right ?? "")}`);
  }
  throw new SyntaxError(`${operator} is not modelled`);
};

const valueOf = async (expression: Expression, session: Session): Promise<Value> => {
  if (expression.kind === "value") return expression.value;
  if (expression.kind === "text") return expanded(expression.text, session);
  if (expression.kind === "variable") return session.variables.get(expression.name);
  if (expression.kind === "command") return runCommand(expression.command, session);
  if (expression.kind === "not") return !isTrue(await valueOf(expression.of, session));
  if (expression.kind === "method") {
    const method = own(methods, expression.name);
    if (method === undefined) throw new SyntaxError(`the method ${expression.name} is not modelled`);
    const given: Value[] = [];
    for (const part of expression.arguments) given.push(await valueOf(part, session));
    return method(await valueOf(expression.of, session), given);
  }
  const left = await valueOf(expression.left, session);
  if (expression.operator === "-and") return isTrue(left) && isTrue(await valueOf(expression.right, session));
  if (expression.operator === "-or") return isTrue(left) || isTrue(await valueOf(expression.right, session));
  return compared(expression.operator, left, await valueOf(expression.right, session));
};

const isTrue = (value: Value): boolean => value !== undefined && value !== false && value !== 0 && value !== "";

const run = async (
  statements: readonly Statement[],
  session: Session,
  print: (text: string) => void,
): Promise<void> => {
  for (const statement of statements) {
    session.signal.throwIfAborted();
    await session.effort.step(session.signal);
    if (statement.kind === "exit") throw new Exit(Number(await valueOf(statement.status, session)));
    if (statement.kind === "assign") {
      session.variables.set(statement.name, await valueOf(statement.expression, session));
    } else if (statement.kind === "expression") {
      const value = await valueOf(statement.expression, session);
      if (value !== undefined) print(`${typeof value === "boolean" ? (value ? "True" : "False") : String(value)}\n`);
    } else if (statement.kind === "if") {
      await run(await branchOf(statement, session), session, print);
    } else {
      await run(statement.first, session, print);
      while (isTrue(await valueOf(statement.condition, session))) {
        await session.effort.step(session.signal);
        await run(statement.body, session, print);
        await run(statement.step, session, print);
      }
    }
  }
};

const branchOf = async (
  { branches, otherwise }: Extract<Statement, { kind: "if" }>,
  session: Session,
): Promise<readonly Statement[]> => {
  for (const { condition, body } of branches) if (isTrue(await valueOf(condition, session))) return body;
  return otherwise;
};

/** `powershell.exe -Command "…"`, as programs of Windows begin it. */
const commandLine =
  /^\s*(?:\S*\\)?(?:powershell|pwsh)(?:\.exe)?\s+(?:-[A-Za-z]+\s+(?!["']|-)\S+\s+|-No\w+\s+)*?-(?:Command|c)\s+(?:"([\s\S]*)"|([\s\S]*))\s*$/i;

/** The script that a command line gives to PowerShell; what is no such line is a script itself. */
const scriptOf = (text: string): string => {
  const [, quoted, bare] = commandLine.exec(text) ?? [];
  return quoted?.replaceAll('\\"', '"') ?? bare ?? text;
};

/** Runs a script of PowerShell as an agent inside a machine of Windows does. */
export const runPowerShell = async (text: string, options: PowerShellOptions): Promise<GuestRunV1> => {
  let stdout = "";
  let stderr = "";
  const console = new Console({ clock: options.clock, mirror: (line) => void (stderr += `${line}\n`) });
  const session: Session = { ...options, variables: new Map(), console, effort: new Effort(), failed: false };
  try {
    await run(parsePowerShell(scriptOf(text)), session, (printed) => void (stdout += printed));
    return { exitCode: session.failed ? 1 : 0, stdout, stderr };
  } catch (error) {
    if (error instanceof Exit) return { exitCode: error.status, stdout, stderr };
    options.signal.throwIfAborted();
    return { exitCode: 1, stdout, stderr: `${stderr}${(error as Error).message}\n` };
  }
};
