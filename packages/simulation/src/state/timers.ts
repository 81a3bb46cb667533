import type { Clock, Logger } from "@capstan/contract";
import type { SimulatedState } from "./simulated-state.ts";

export interface TimersOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly state: Pick<SimulatedState, "timers">;
  readonly save: () => Promise<void>;
}

/** What happens to something when its time has come. */
export type Task = (key: string) => void | Promise<void>;

/** What happens by itself after a while. It is part of the state: after a restart it happens at the time that was set for it. */
export class Timers {
  readonly #options: TimersOptions;
  readonly #tasks = new Map<string, Task>();
  readonly #scheduled = new Map<string, () => void>();
  #started = false;

  constructor(options: TimersOptions) {
    this.#options = options;
  }

  /** Says what a task does. Every task is defined before the simulator starts, so that stored timers find theirs. */
  define(task: string, run: Task): void {
    if (this.#tasks.has(task)) throw new Error(`the task ${task} is defined twice`);
    this.#tasks.set(task, run);
  }

  /** Lets the task happen to `key` after a while. A key has one timer: a later one replaces the earlier. */
  set(key: string, task: string, ms: number): void {
    if (!this.#tasks.has(task)) throw new Error(`the task ${task} is not defined`);
    this.cancel(key);
    const timer = { key, task, at: this.#options.clock.now() + ms };
    this.#options.state.timers.push(timer);
    if (this.#started) this.#schedule(timer);
  }

  has(key: string): boolean {
    return this.#options.state.timers.some((timer) => timer.key === key);
  }

  cancel(key: string): void {
    this.#scheduled.get(key)?.();
    this.#scheduled.delete(key);
    const { state } = this.#options;
    const at = state.timers.findIndex((timer) => timer.key === key);
    if (at >= 0) state.timers.splice(at, 1);
  }

  /** Sets off what was stored; what is overdue happens next. */
  start(): void {
    this.#started = true;
    for (const timer of this.#options.state.timers) this.#schedule(timer);
  }

  /** Nothing happens any more; what was under way stays in the state. */
  stop(): void {
    this.#started = false;
    for (const cancel of this.#scheduled.values()) cancel();
    this.#scheduled.clear();
  }

  #schedule({ key, task, at }: SimulatedState["timers"][number]): void {
    const { clock, log } = this.#options;
    const cancel = clock.schedule(Math.max(0, at - clock.now()), () => {
      this.#scheduled.delete(key);
      this.#happen(key, task).catch((error: unknown) => {
        log.error("a timer of the simulator failed", { key, task, error: String(error) });
      });
    });
    this.#scheduled.set(key, cancel);
  }

  async #happen(key: string, task: string): Promise<void> {
    this.cancel(key);
    const run = this.#tasks.get(task);
    if (run === undefined) this.#options.log.warn("nothing is to be done for a stored timer", { key, task });
    await run?.(key);
    await this.#options.save();
  }
}
