import { assignedBy, declaredBy } from "./assignments.ts";
import { builtins, type Declared } from "./builtins.ts";
import { condition } from "./condition.ts";
import { type Runner, runArithmetic, runCase, runCount, runFor, runIf, runWhile } from "./control-flow.ts";
import { longestOutput } from "./effort.ts";
import { Expander } from "./expand.ts";
import { Parser } from "./parser.ts";
import { redirected } from "./redirects.ts";
import { say } from "./say.ts";
import { scalarOf, type Value } from "./shell-array.ts";
import { Discard, Exit, Fatal, Input, Leave, type Session, type Streams } from "./session.ts";
import { type Command, type Pipeline, ShellSyntaxError, type Statement } from "./syntax.ts";
import { traced } from "./trace.ts";

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
  readonly #runner: Runner = {
    body: (statements, session, streams) => this.#body(statements, session, streams),
    expander: (session, streams) => this.#expander(session, streams),
  };

  constructor(runProgram: RunProgram) {
    this.#runProgram = runProgram;
  }

  /** A whole script in a session of its own; its status, also after `exit`. Rejects when the machine goes off. */
  async script(text: string, session: Session, given: Streams): Promise<number> {
    const streams = { ...given };
    try {
      await this.#ended(text, session, streams);
    } finally {
      await this.#exit(session, streams);
    }
    return session.status;
  }

  /** Called at the end of a shell: runs its trap, and the commands that read from it. */
  async #exit(session: Session, streams: Streams): Promise<void> {
    if (session.signal.aborted) return;
    const trap = session.traps.get("EXIT");
    session.traps.delete("EXIT");
    const { status } = session;
    if (trap !== undefined && (await this.#ended(trap, session, streams)) === "end") session.status = status;
    await this.#readers(session, streams);
  }

  /** Runs a text, and says what ends it. `end`: it has come to its end. */
  async #ended(text: string, session: Session, streams: Streams): Promise<"end" | "exit"> {
    try {
      await this.commands(text, session, streams);
      return "end";
    } catch (error) {
      if (error instanceof Exit) session.status = error.status;
      else if (error instanceof Fatal || error instanceof ShellSyntaxError) {
        say(error, session, streams);
        session.status = error instanceof Fatal ? error.status : 2;
      } else if (!(error instanceof Leave)) throw error;
      return "exit";
    }
  }

  /** Commands in a session that continues, as `eval` and `.` run them. */
  async commands(text: string, session: Session, streams: Streams, line = 1): Promise<number> {
    const hasExtendedPatterns = (): boolean => session.shopt.has("extglob");
    const parser = new Parser(text, { dialect: session.dialect, line, hasExtendedPatterns });
    for (let statements = parser.next(); statements !== undefined; statements = parser.next()) {
      try {
        for (const statement of statements) await this.#statement(statement, session, streams);
      } catch (error) {
        if (!(error instanceof Discard)) throw error;
        say(error, session, streams);
        session.status = 1;
        if (session.options.has("e") && session.tested === 0) throw new Exit(1);
      }
    }
    return session.status;
  }

  async #body(statements: readonly Statement[], session: Session, streams: Streams): Promise<number> {
    for (const statement of statements) await this.#statement(statement, session, streams);
    return statements.length === 0 ? 0 : session.status;
  }

  async #statement(statement: Statement, session: Session, streams: Streams): Promise<void> {
    if (!statement.isBackground) return this.#foreground(statement, session, streams);
    const stop = new AbortController();
    const fork = session.fork(AbortSignal.any([session.signal, stop.signal]));
    fork.tested = 0;
    const own = { ...streams, input: new Input() };
    const run = async (inner: Session): Promise<number> => {
      await this.#foreground(statement, inner, own);
      return inner.status;
    };
    const job = {
      id: 2000 + session.jobs.length,
      stop,
      isOver: false,
      // A machine that goes off ends it as well.
      ended: this.#subshell(run, fork, own)
        .catch(() => 143)
        .finally(() => (job.isOver = true)),
    };
    session.jobs.push(job);
    session.status = 0;
  }

  async #foreground({ first, rest }: Statement, session: Session, streams: Streams): Promise<void> {
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
    else if (session.status !== 0 && session.tested === 0 && decides) await this.#failed(session, streams);
  }

  /** A command has failed, and nothing looks at that. */
  async #failed(session: Session, streams: Streams): Promise<void> {
    const { status } = session;
    const trap = session.traps.get("ERR");
    const isOutside = session.calls.length > 0 && !session.options.has("E");
    if (trap !== undefined && !isOutside) {
      session.traps.delete("ERR");
      await this.commands(trap, session, streams, session.line);
      session.traps.set("ERR", trap);
      session.status = status;
    }
    if (session.options.has("e")) throw new Exit(status);
  }

  async #piped(commands: readonly Command[], session: Session, streams: Streams): Promise<number> {
    const [only] = commands;
    if (commands.length === 1 && only !== undefined) {
      const status = await this.#command(only, session, streams);
      if (only.type === "simple" || only.type === "subshell") session.pipeStatus = [status];
      return status;
    }
    let { input } = streams;
    const ends: number[] = [];
    for (const [index, command] of commands.entries()) {
      const printed = collector();
      const fork = session.fork();
      const own = { ...streams, input, ...(index < commands.length - 1 && { out: printed.write }) };
      ends.push(await this.#subshell((inner) => this.#command(command, inner, own), fork, own));
      input = new Input(printed.text());
    }
    session.pipeStatus = ends;
    const failed = ends.findLast((status) => status !== 0) ?? 0;
    return session.options.has("pipefail") ? failed : (ends.at(-1) ?? 0);
  }

  /** Runs commands in a subshell, which passes on only its status. */
  async #subshell(run: (session: Session) => Promise<number>, session: Session, streams: Streams): Promise<number> {
    this.#enter(session);
    try {
      session.status = await run(session);
    } catch (error) {
      if (error instanceof Exit) session.status = error.status;
      else if (error instanceof Fatal || error instanceof ShellSyntaxError || error instanceof Discard) {
        say(error, session, streams);
        session.status = error instanceof Fatal ? error.status : error instanceof Discard ? 1 : 2;
      } else if (!(error instanceof Leave)) throw error;
    }
    await this.#exit(session, streams);
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
      session.functions.set(command.name, command);
      return 0;
    }
    const before = new Set(session.processes.keys());
    const own = await redirected(command.redirects, session, streams, this.#expander(session, streams));
    if (own === undefined) return 1;
    try {
      return await this.#compound(command, session, own);
    } finally {
      await this.#readers(session, own, before);
    }
  }

  #expander(session: Session, streams: Streams): Expander {
    return new Expander(session, async (script, from) => {
      const printed = collector();
      const own = { ...streams, input: new Input(), out: printed.write };
      const fork = from.fork();
      fork.tested = 0;
      if (from.dialect === "bash") fork.options.delete("e");
      from.substituted = await this.#subshell((inner) => this.commands(script, inner, own, from.line), fork, own);
      return printed.text();
    });
  }

  async #compound(command: Command, session: Session, streams: Streams): Promise<number> {
    switch (command.type) {
      case "group":
        return this.#body(command.body, session, streams);
      case "subshell":
        return this.#subshell((inner) => this.#body(command.body, inner, streams), session.fork(), { ...streams });
      case "if":
        return runIf(this.#runner, command, session, streams);
      case "while":
        return runWhile(this.#runner, command, session, streams);
      case "for":
        return runFor(this.#runner, command, session, streams);
      case "count":
        return runCount(this.#runner, command, session, streams);
      case "case":
        return runCase(this.#runner, command, session, streams);
      case "condition": {
        const expander = this.#expander(session, streams);
        return (await condition(command.words, expander, session)) ? 0 : 1;
      }
      case "arithmetic":
        return runArithmetic(this.#runner, command, session, streams);
      default:
        return 0;
    }
  }

  async #simple(command: OfType<"simple">, session: Session, streams: Streams): Promise<number> {
    const expander = this.#expander(session, streams);
    session.substituted = undefined;
    session.line = command.line;
    const before = new Set(session.processes.keys());
    const words = await expander.fields(command.words);
    if (words.length > 0) session.command = command.text;
    const own = await redirected(command.redirects, session, streams, expander);
    if (own === undefined) return 1;
    try {
      const [name] = words;
      const assigned = await assignedBy(command.assignments, session, expander, name === undefined);
      if (session.options.has("x")) streams.err(traced(words, assigned));
      if (name === undefined) return session.substituted ?? 0;
      if (name === "exec" && words.length === 1) {
        Object.assign(streams, own);
        return 0;
      }
      const declared = await declaredBy(command.declared, expander);
      return await this.#call(words, assigned, session, own, declared);
    } finally {
      if (words.length !== 1 || words[0] !== "exec") await this.#readers(session, own, before);
    }
  }

  async #call(
    words: readonly string[],
    assigned: ReadonlyMap<string, Value>,
    session: Session,
    streams: Streams,
    declared: readonly Declared[] = [],
  ): Promise<number> {
    const [name = ""] = words;
    const found = session.functions.get(name);
    if (found !== undefined) return this.#function(name, found.body, words.slice(1), session, streams);
    const builtin = builtins.get(name);
    if (builtin !== undefined && (session.dialect === "bash" || !onlyBash.has(name))) {
      const before = [...assigned.keys()].map((key) => [key, session.variables.get(key)] as const);
      for (const [key, value] of assigned) session.set(key, value);
      try {
        return await builtin({
          args: words.slice(1),
          declared,
          session,
          streams,
          evaluate: (text) => this.commands(text, session, streams, session.line),
          run: (inner) => this.#call(inner, new Map(), session, streams),
        });
      } finally {
        for (const [key, value] of before) {
          if (value === undefined) session.variables.delete(key);
          else session.variables.set(key, value);
        }
      }
    }
    const given = [...assigned].map(([key, value]) => [key, scalarOf(value) ?? ""]);
    const environment = { ...session.environment(), ...(Object.fromEntries(given) as Record<string, string>) };
    return this.#runProgram(words, { session, streams, environment });
  }

  async #function(
    name: string,
    body: Command,
    args: readonly string[],
    session: Session,
    streams: Streams,
  ): Promise<number> {
    const { args: before, calls } = session;
    const frame: Session["frames"][number] = new Map();
    session.args = args;
    session.calls = [name, ...calls];
    session.frames.push(frame);
    this.#enter(session);
    try {
      return await this.#command(body, session, streams);
    } catch (error) {
      if (error instanceof Leave && error.kind === "return") return session.status;
      throw error;
    } finally {
      session.args = before;
      session.calls = calls;
      session.frames.pop();
      for (const [key, value] of frame) {
        if (value === undefined) session.variables.delete(key);
        else session.variables.set(key, value);
      }
      session.depth -= 1;
    }
  }

  /** Lets those read that were written to as files, and takes all such files away. */
  async #readers(session: Session, streams: Streams, before: ReadonlySet<string> = new Set()): Promise<void> {
    for (const [path, script] of session.processes.size === 0 ? [] : [...session.processes]) {
      if (before.has(path)) continue;
      const text = session.disk.text(path) ?? "";
      session.processes.delete(path);
      session.disk.remove(path);
      if (script === "" || text === "") continue;
      const own = { ...streams, input: new Input(text) };
      await this.#subshell((inner) => this.commands(script, inner, own), session.fork(), own);
    }
  }
}

/** Built-in commands of bash that dash looks for among the programs. */
const onlyBash = new Set(
  "source declare typeset let shopt mapfile readarray pushd popd dirs disown compgen complete".split(" "),
);

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
