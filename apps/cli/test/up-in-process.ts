import { silentLogger, rfc3339 } from "@capstan/contract";
import { type FakeClock, recentClock, seededRandom } from "@capstan/testing";
import { preflight } from "../src/plan/preflight.ts";
import { createProgram } from "../src/program.ts";
import { runCommand } from "../src/run-command.ts";
import { performUp } from "../src/up/run-up.ts";
import type { UpOptions } from "../src/up/up-options.ts";
import { jsonView, lineView, type View } from "../src/view/view.ts";
import type { CommandEvent } from "./command-process.ts";

/** `capstan up` in this process and on a virtual clock, with JSON output. */
export interface UpInProcess extends AsyncDisposable {
  readonly events: readonly CommandEvent[];
  /** Lets time pass until the command has ended; its exit status. */
  ended(): Promise<number>;
  /** Lets time pass until an event is so, and returns the first; rejects when the command ends without one. */
  until(isIt: (event: CommandEvent) => boolean): Promise<CommandEvent>;
  /** Lets time pass until something beside it is over. */
  beside<T>(work: Promise<T>): Promise<T>;
  /** Interrupts it, as Ctrl-C does; its exit status. */
  stop(): Promise<number>;
}

const optionsOf = async (args: readonly string[]): Promise<UpOptions> => {
  const given: UpOptions[] = [];
  const up = async (options: UpOptions): Promise<number> => given.push(options);
  await createProgram({ up }).run(["up", ...args]);
  const [options] = given;
  if (options === undefined) throw new Error(`these are no arguments of capstan up: ${args.join(" ")}`);
  return options;
};

const performWith = (
  options: UpOptions,
  environment: { readonly clock: FakeClock; readonly view: View; readonly signal: AbortSignal },
): Promise<number> =>
  performUp(options, {
    ...environment,
    random: seededRandom(7),
    log: silentLogger,
    variables: () => undefined,
    preflight,
  });

const over = async <T>(work: Promise<T>, clock: FakeClock): Promise<T> => {
  let isOver = false;
  void work.catch(() => undefined).finally(() => (isOver = true));
  await clock.advanceUntil(() => isOver, { stepMs: 50, maxMs: 3_600_000 });
  return work;
};

/** Runs the command with text output until it ends by itself; `err` is what it fails with. */
export const runUp = async (
  args: readonly string[],
): Promise<{ readonly status: number; readonly out: string; readonly err: string }> => {
  const options = await optionsOf(args);
  const clock = recentClock();
  let out = "";
  const view = lineView({ write: (text) => void (out += text) });
  try {
    const { signal } = new AbortController();
    return { status: await over(performWith(options, { clock, view, signal }), clock), out, err: "" };
  } catch (error) {
    return { status: 1, out, err: (error as Error).message };
  }
};

/** Starts the command with these arguments. */
export const startUp = async (args: readonly string[]): Promise<UpInProcess> => {
  const options = await optionsOf([...args, "-o", "json"]);
  const clock = recentClock();
  const events: CommandEvent[] = [];
  const write = (line: string): void => void events.push(JSON.parse(line) as CommandEvent);
  const view = jsonView({ write }, () => rfc3339(clock.now()));
  const interruption = new AbortController();
  const running = runCommand({ failures: { view, output: "json" } }, () =>
    performWith(options, { clock, view, signal: interruption.signal }),
  );
  let isOver = false;
  void running.catch(() => undefined).finally(() => (isOver = true));
  const stop = (): Promise<number> => {
    interruption.abort();
    return over(running, clock);
  };
  return {
    events,
    ended: () => over(running, clock),
    until: async (isIt) => {
      const found = (): CommandEvent | undefined => events.find(isIt);
      await clock.advanceUntil(() => isOver || found() !== undefined, { stepMs: 100, maxMs: 1_200_000 });
      const event = found();
      if (event === undefined) throw new Error(`ended with ${await running}: ${JSON.stringify(events)}`);
      return event;
    },
    beside: (work) => over(work, clock),
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
};
