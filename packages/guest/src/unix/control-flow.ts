import type { Expander } from "./expand.ts";
import { fitsPattern } from "./pattern.ts";
import { Discard, Leave, type Session, type Streams } from "./session.ts";
import { say } from "./say.ts";
import type { Command, Statement } from "./syntax.ts";

type OfType<T extends Command["type"]> = Extract<Command, { readonly type: T }>;

/** The part of the interpreter that loops and decisions need. */
export interface Runner {
  readonly body: (statements: readonly Statement[], session: Session, streams: Streams) => Promise<number>;
  readonly expander: (session: Session, streams: Streams) => Expander;
}

export const runArithmetic = async (
  runner: Runner,
  { text }: OfType<"arithmetic">,
  session: Session,
  streams: Streams,
): Promise<number> => {
  try {
    return (await runner.expander(session, streams).calculate(text)) === 0 ? 1 : 0;
  } catch (error) {
    if (!(error instanceof Discard)) throw error;
    say(new Discard(`((: ${error.message}`), session, streams);
    return 1;
  }
};

const isTrue = async (
  runner: Runner,
  statements: readonly Statement[],
  session: Session,
  streams: Streams,
): Promise<boolean> => {
  session.tested += 1;
  try {
    return (await runner.body(statements, session, streams)) === 0;
  } finally {
    session.tested -= 1;
  }
};

export const runIf = async (
  runner: Runner,
  { branches, otherwise }: OfType<"if">,
  session: Session,
  streams: Streams,
): Promise<number> => {
  for (const { body, test } of branches) {
    if (await isTrue(runner, test, session, streams)) return runner.body(body, session, streams);
  }
  return runner.body(otherwise, session, streams);
};

export const runWhile = async (
  runner: Runner,
  { body, isUntil, test }: OfType<"while">,
  session: Session,
  streams: Streams,
): Promise<number> => {
  let status = 0;
  while ((await isTrue(runner, test, session, streams)) !== isUntil) {
    const turn = await oneTurn(runner, body, session, streams);
    if (turn === undefined) return 0;
    status = turn;
  }
  return status;
};

export const runFor = async (
  runner: Runner,
  { body, name, words }: OfType<"for">,
  session: Session,
  streams: Streams,
): Promise<number> => {
  let status = 0;
  const values = words === undefined ? session.args : await runner.expander(session, streams).fields(words);
  for (const value of values) {
    session.set(name, value);
    const turn = await oneTurn(runner, body, session, streams);
    if (turn === undefined) return 0;
    status = turn;
  }
  return status;
};

export const runCount = async (
  runner: Runner,
  { body, steps: [start, test, next] }: OfType<"count">,
  session: Session,
  streams: Streams,
): Promise<number> => {
  const expander = runner.expander(session, streams);
  let status = 0;
  await expander.calculate(start);
  while (test.length === 0 || (await expander.calculate(test)) !== 0) {
    const turn = await oneTurn(runner, body, session, streams);
    if (turn === undefined) return 0;
    status = turn;
    await expander.calculate(next);
  }
  return status;
};

/** One turn of a loop; `undefined`: it was the last by `break`. */
const oneTurn = async (
  runner: Runner,
  body: readonly Statement[],
  session: Session,
  streams: Streams,
): Promise<number | undefined> => {
  session.loops += 1;
  try {
    return await runner.body(body, session, streams);
  } catch (error) {
    if (!(error instanceof Leave) || error.kind === "return") throw error;
    error.count -= 1;
    if (error.count > 0 && session.loops > 1) throw error;
    return error.kind === "break" ? undefined : 0;
  } finally {
    session.loops -= 1;
  }
};

export const runCase = async (
  runner: Runner,
  { arms, word }: OfType<"case">,
  session: Session,
  streams: Streams,
): Promise<number> => {
  const expander = runner.expander(session, streams);
  const fold = (text: string): string => (session.shopt.has("nocasematch") ? text.toLowerCase() : text);
  const text = fold(await expander.text(word));
  let status = 0;
  let falls = false;
  for (const { body, end, patterns } of arms) {
    let fits = falls;
    for (const pattern of falls ? [] : patterns) fits ||= fitsPattern(fold(await expander.pattern(pattern)), text);
    if (!fits) continue;
    status = await runner.body(body, session, streams);
    if (end === ";;") return status;
    falls = end === ";&";
  }
  return status;
};
