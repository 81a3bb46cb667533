import { longestOutput } from "./effort.ts";
import { builtins } from "./builtins.ts";
import { condition } from "./condition.ts";
import { Expander } from "./expand.ts";
import { Parser } from "./parser.ts";
import { fitsPattern } from "./pattern.ts";
import { Exit, Fatal, Input, Leave, type Session, type Streams } from "./session.ts";
import { type Command, ShellSyntaxError, type Pipeline, type Redirect, type Statement, type Word } from "./syntax.ts";

/** Runs what is neither of the shell nor a function of its own. `words` has at least the name. */
export type RunProgram = (
  words: readonly string[],
  options: {
    readonly session: Session;
    readonly streams: Streams;
    readonly environment: Readonly<Record<string, string>>;
  },
) => Promise<number>;

/** Shells, functions and substitutions nest no deeper. */
const deepest = 60;

type OfType<T extends Command["type"]> = Extract<Command, { readonly type: T }>;

/** Runs scripts as `sh` or bash do, with the programs of a machine. */
export class Interpreter {
  readonly #runProgram: RunProgram;

  constructor(runProgram: RunProgram) {
    this.#runProgram = runProgram;
  }

  /** A whole script in a session of its own; its status, also after `exit`. Rejects when the machine goes off. */
  async script(text: string, session: Session, streams: Streams): Promise<number> {
    try {
      await this.#ended(text, session, streams);
    } finally {
      const { trap } = session;
      session.trap = undefined;
      if (trap !== undefined && !session.signal.aborted) await this.#ended(trap, session, streams);
    }
    return session.status;
  }

  async #ended(text: string, session: Session, streams: Streams): Promise<void> {
    try {
      await this.commands(text, session, streams);
    } catch (error) {
      if (error instanceof Exit) session.status = error.status;
      else if (error instanceof Leave) return;
      else if (error instanceof Fatal || error instanceof ShellSyntaxError) {
        const line = error instanceof ShellSyntaxError ? error.line : session.line;
        streams.err(`${session.name}: ${session.dialect === "bash" ? "line " : ""}${line}: ${error.message}\n`);
        session.status = error instanceof Fatal ? error.status : 2;
      } else throw error;
    }
  }

  /** Commands in a session that continues, as `eval` and `.` run them. */
  async commands(text: string, session: Session, streams: Streams, line = 1): Promise<number> {
    const parser = new Parser(text, { dialect: session.dialect, line });
    for (let line = parser.next(); line !== undefined; line = parser.next()) {
      for (const statement of line) await this.#statement(statement, session, streams);
    }
    return session.status;
  }

  async #body(statements: readonly Statement[], session: Session, streams: Streams): Promise<number> {
    for (const statement of statements) await this.#statement(statement, session, streams);
    return statements.length === 0 ? 0 : session.status;
  }

  async #statement({ first, rest }: Statement, session: Session, streams: Streams): Promise<void> {
    const isLast = (index: number): boolean => index === rest.length;
    await this.#pipeline(first, session, streams, isLast(0));
    for (const [index, { operator, pipeline }] of rest.entries()) {
      if ((session.status === 0) !== (operator === "&&")) continue;
      await this.#pipeline(pipeline, session, streams, isLast(index + 1));
    }
  }

  /** With `decides` the status may end a script that was told so by `set -e`. */
  async #pipeline(
    { commands, isNegated }: Pipeline,
    session: Session,
    streams: Streams,
    decides: boolean,
  ): Promise<void> {
    const isTested = !decides || isNegated;
    if (isTested) session.tested += 1;
    try {
      session.status = await this.#piped(commands, session, streams);
    } finally {
      if (isTested) session.tested -= 1;
    }
    if (isNegated) session.status = session.status === 0 ? 1 : 0;
    else if (session.status !== 0 && session.tested === 0 && decides && session.options.has("e")) {
      throw new Exit(session.status);
    }
  }

  async #piped(commands: readonly Command[], session: Session, streams: Streams): Promise<number> {
    const [only] = commands;
    if (commands.length === 1 && only !== undefined) return this.#command(only, session, streams);
    let { input } = streams;
    let failed = 0;
    let status = 0;
    for (const [index, command] of commands.entries()) {
      const isLast = index === commands.length - 1;
      const printed = collector();
      const fork = session.fork();
      const own = { input, err: streams.err, out: isLast ? streams.out : printed.write };
      status = await this.#subshell((inner) => this.#command(command, inner, own), fork, own);
      if (status !== 0) failed = status;
      input = new Input(printed.text());
    }
    return session.options.has("pipefail") ? failed : status;
  }

  /** What leaves it is only the status. */
  async #subshell(run: (session: Session) => Promise<number>, session: Session, streams: Streams): Promise<number> {
    this.#enter(session);
    try {
      session.status = await run(session);
    } catch (error) {
      if (error instanceof Exit) session.status = error.status;
      else if (error instanceof Fatal) {
        streams.err(`${session.name}: ${error.message}\n`);
        session.status = error.status;
      } else if (!(error instanceof Leave)) throw error;
    }
    return session.status;
  }

  #enter(session: Session): void {
    session.depth += 1;
    if (session.depth > deepest) throw new Exit(2);
  }

  async #command(command: Command, session: Session, streams: Streams): Promise<number> {
    await session.effort.step(session.signal);
    if (command.type === "simple") return this.#simple(command, session, streams);
    if (command.type === "function") {
      session.functions.set(command.name, command.body);
      return 0;
    }
    const redirected = await this.#redirect(command.redirects, session, streams);
    if (redirected === undefined) return 1;
    const status = await this.#compound(command, session, redirected.streams);
    redirected.close();
    return status;
  }

  #expander(session: Session, streams: Streams): Expander {
    return new Expander(session, async (script, from) => {
      const printed = collector();
      const own = { input: new Input(), err: streams.err, out: printed.write };
      const fork = from.fork();
      fork.tested = 0;
      if (from.dialect === "bash") fork.options.delete("e");
      from.substituted = await this.#subshell((inner) => this.commands(script, inner, own), fork, own);
      return printed.text();
    });
  }

  async #compound(command: Command, session: Session, streams: Streams): Promise<number> {
    switch (command.type) {
      case "group":
        return this.#body(command.body, session, streams);
      case "subshell":
        return this.#subshell((inner) => this.#body(command.body, inner, streams), session.fork(), streams);
      case "if":
        return this.#if(command, session, streams);
      case "while":
        return this.#while(command, session, streams);
      case "for":
        return this.#for(command, session, streams);
      case "case":
        return this.#case(command, session, streams);
      case "condition": {
        const expander = this.#expander(session, streams);
        return (await condition(command.words, expander, session)) ? 0 : 1;
      }
      case "arithmetic":
        return (await this.#expander(session, streams).calculate(command.text)) === 0 ? 1 : 0;
      default:
        return 0;
    }
  }

  async #test(statements: readonly Statement[], session: Session, streams: Streams): Promise<boolean> {
    session.tested += 1;
    try {
      return (await this.#body(statements, session, streams)) === 0;
    } finally {
      session.tested -= 1;
    }
  }

  async #if({ branches, otherwise }: OfType<"if">, session: Session, streams: Streams): Promise<number> {
    for (const { body, test } of branches) {
      if (await this.#test(test, session, streams)) return this.#body(body, session, streams);
    }
    return this.#body(otherwise, session, streams);
  }

  async #while({ body, isUntil, test }: OfType<"while">, session: Session, streams: Streams): Promise<number> {
    let status = 0;
    while ((await this.#test(test, session, streams)) !== isUntil) {
      const turn = await this.#turn(body, session, streams);
      if (turn === undefined) return 0;
      status = turn;
    }
    return status;
  }

  async #for({ body, name, words }: OfType<"for">, session: Session, streams: Streams): Promise<number> {
    let status = 0;
    const values = words === undefined ? session.args : await this.#expander(session, streams).fields(words);
    for (const value of values) {
      session.variables.set(name, value);
      const turn = await this.#turn(body, session, streams);
      if (turn === undefined) return 0;
      status = turn;
    }
    return status;
  }

  /** One turn of a loop; `undefined`: it was the last by `break`. */
  async #turn(body: readonly Statement[], session: Session, streams: Streams): Promise<number | undefined> {
    try {
      return await this.#body(body, session, streams);
    } catch (error) {
      if (!(error instanceof Leave) || error.kind === "return") throw error;
      error.count -= 1;
      if (error.count > 0) throw error;
      return error.kind === "break" ? undefined : 0;
    }
  }

  async #case({ arms, word }: OfType<"case">, session: Session, streams: Streams): Promise<number> {
    const expander = this.#expander(session, streams);
    const text = await expander.text(word);
    for (const { body, patterns } of arms) {
      for (const pattern of patterns) {
        if (fitsPattern(await expander.pattern(pattern), text)) return this.#body(body, session, streams);
      }
    }
    return 0;
  }

  async #simple(command: OfType<"simple">, session: Session, streams: Streams): Promise<number> {
    const expander = this.#expander(session, streams);
    session.substituted = undefined;
    session.line = command.line;
    const words = await expander.fields(command.words);
    const redirected = await this.#redirect(command.redirects, session, streams);
    if (redirected === undefined) return 1;
    const assigned = new Map<string, string | readonly string[]>();
    for (const { isAppending, isArray, name, value } of command.assignments) {
      const before = assigned.get(name) ?? session.variables.get(name);
      const given = isArray ? await expander.fields(value as readonly Word[]) : await expander.text(value as Word);
      const joined = isAppending ? appended(before, given) : given;
      if (words.length === 0) session.variables.set(name, joined);
      assigned.set(name, joined);
    }
    try {
      const [name] = words;
      if (name === undefined) return session.substituted ?? 0;
      if (session.options.has("x")) streams.err(`+ ${words.join(" ")}\n`);
      return await this.#call(words, assigned, session, redirected.streams);
    } finally {
      redirected.close();
    }
  }

  async #call(
    words: readonly string[],
    assigned: ReadonlyMap<string, string | readonly string[]>,
    session: Session,
    streams: Streams,
  ): Promise<number> {
    const [name = ""] = words;
    const body = session.functions.get(name);
    if (body !== undefined) return this.#function(body, words.slice(1), session, streams);
    const builtin = builtins.get(name);
    if (builtin !== undefined && (session.dialect === "bash" || !onlyBash.has(name))) {
      for (const [key, value] of assigned) session.variables.set(key, value);
      return builtin({
        args: words.slice(1),
        session,
        streams,
        evaluate: (text) => this.commands(text, session, streams),
        run: (inner) => this.#call(inner, new Map(), session, streams),
      });
    }
    const given = [...assigned].map(([key, value]) => [key, typeof value === "string" ? value : (value[0] ?? "")]);
    const environment = { ...session.environment(), ...(Object.fromEntries(given) as Record<string, string>) };
    return this.#runProgram(words, { session, streams, environment });
  }

  async #function(body: Command, args: readonly string[], session: Session, streams: Streams): Promise<number> {
    const before = session.args;
    const frame: Session["frames"][number] = new Map();
    session.args = args;
    session.frames.push(frame);
    this.#enter(session);
    try {
      return await this.#command(body, session, streams);
    } catch (error) {
      if (error instanceof Leave && error.kind === "return") return session.status;
      throw error;
    } finally {
      session.args = before;
      session.frames.pop();
      for (const [name, value] of frame) {
        if (value === undefined) session.variables.delete(name);
        else session.variables.set(name, value);
      }
      session.depth -= 1;
    }
  }

  /** `undefined`: one of the files cannot be opened. */
  async #redirect(
    redirects: readonly Redirect[],
    session: Session,
    streams: Streams,
  ): Promise<{ readonly streams: Streams; readonly close: () => void } | undefined> {
    if (redirects.length === 0) return { streams, close: () => undefined };
    const expander = this.#expander(session, streams);
    let { err, input, out } = streams;
    for (const { descriptor, operator, target } of redirects) {
      const text = await expander.text(target);
      if (operator === "<<" || operator === "<<<") input = new Input(operator === "<<" ? text : `${text}\n`);
      else if (operator === "<") {
        const content = text === "/dev/null" ? "" : session.disk.text(session.path(text));
        if (content === undefined) return refused(`${text}: No such file`, session, streams);
        input = new Input(content);
      } else if (operator === ">&" && /^[12]$/.test(text)) {
        if (descriptor === 1) out = text === "2" ? err : out;
        else err = text === "1" ? out : err;
      } else if (operator !== "<&") {
        const write = writer(text, operator === ">>", session);
        if (write === undefined) return refused(`${text}: Directory nonexistent`, session, streams);
        if (descriptor === 1 || operator === "&>" || operator === ">&") out = write;
        if (descriptor === 2 || operator === "&>" || operator === ">&") err = write;
      }
    }
    return { streams: { input, out, err }, close: () => undefined };
  }
}

/** What dash looks for among the programs. */
const onlyBash = new Set(["source", "declare", "typeset", "let", "shopt", "mapfile", "readarray", "pushd", "popd"]);

const refused = (message: string, session: Session, { err }: Streams): undefined => {
  const isBash = session.dialect === "bash";
  err(
    `${session.name}: ${isBash ? message.replace("Directory nonexistent", "No such file or directory").replace(/file$/, "file or directory") : `cannot ${message.endsWith("file") ? "open" : "create"} ${message}`}\n`,
  );
  return undefined;
};

const writer = (
  path: string,
  appends: boolean,
  { disk, ...session }: Session & { path(path: string): string },
): ((text: string) => void) | undefined => {
  const full = path.startsWith("/") ? path : `${session.directory}/${path}`;
  if (full === "/dev/null") return () => undefined;
  const folder = full.slice(0, full.lastIndexOf("/")) || "/";
  if (!disk.isDirectory(folder) || disk.isDirectory(full)) return undefined;
  if (!appends) disk.write(full, "", disk.stat(full));
  else if (disk.stat(full) === undefined) disk.write(full, "");
  return (text) => disk.append(full, text);
};

const appended = (
  before: string | readonly string[] = [],
  given: string | readonly string[],
): string | readonly string[] => {
  if (typeof given === "string") return (typeof before === "string" ? before : (before[0] ?? "")) + given;
  return [...(typeof before === "string" ? [before] : before), ...given];
};

/** Collects what is printed, up to the limit of the model. */
const collector = (): { readonly write: (text: string) => void; readonly text: () => string } => {
  let text = "";
  return {
    write: (more) => {
      text += more;
      if (text.length > longestOutput) throw new Fatal(`prints more than ${longestOutput} characters`, 1);
    },
    text: () => text,
  };
};
