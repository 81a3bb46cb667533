import type { Session, Streams } from "./session.ts";
import type { Value } from "./shell-array.ts";

/** An argument of `declare` and the like that is an assignment: a text, or an array added to what was there. */
export interface Declared {
  readonly name: string;
  readonly isAppending: boolean;
  readonly value: string | ((before: Value | undefined) => Promise<Value>);
}

export interface BuiltinContext {
  readonly args: readonly string[];
  readonly declared: readonly Declared[];
  readonly session: Session;
  readonly streams: Streams;
  /** Runs a text in this shell. */
  readonly evaluate: (text: string) => Promise<number>;
  /** Runs a command in this shell. */
  readonly run: (words: readonly string[]) => Promise<number>;
}

/** Returns the exit status. */
export type Builtin = (context: BuiltinContext) => number | Promise<number>;

/** Prints what a builtin has to say, in the words of its shell, and returns the status. */
export const complain = (
  { session, streams }: Pick<BuiltinContext, "session" | "streams">,
  message: string,
  status = 1,
): number => {
  const line = session.dialect === "bash" ? `line ${session.line}` : String(session.line);
  streams.err(`${session.name}: ${line}: ${message}\n`);
  return status;
};
