import type { Clock, Logger } from "@capstan/contract";
import type { SimulatedState } from "./simulated-state.ts";

export interface TimersOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly state: Pick<SimulatedState, "timers">;
  readonly save: () => Promise<void>;
}

/** Called when a timer is due; `key` is the object of the task. */
export type Task = (key: string) => void | Promise<void>;

/** Tasks that are done at a later time. Pending ones are part of the state: after a restart they are done at the time that was set. */
export class Timers {
  readonly #options: TimersOptions;
  readonly #tasks = new Map<string, Task>();
  readonly #scheduled = new Map<string, () => void>();
  /** Factor by which timers that are set from now on are faster than stated. Default 1. */
  speed = 1;
  #started = false;

  constructor(options: TimersOptions) {
    this.#options = options;
  }

  /** Defines a task. All tasks are defined before the simulator starts, because stored timers refer to them by name. */
  define(task: string, run: Task): void {
    if (this.#tasks.has(task)) throw new Error(`the task ${task} is defined twice`);
    this.#tasks.set(task, run);
  }

  /** Schedules a task for `key`. A key has at most one timer: a later call replaces the earlier one. */
  set(key: string, task: string, ms: number): void {
    if (!this.#tasks.has(task)) throw new Error(`the task ${task} is not defined`);
    this.cancel(key);
    const timer = { key, task, at: this.#options.clock.now() + ms / this.speed };
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

  /** Starts all stored timers; overdue tasks are done next. */
  start(): void {
    this.#started = true;
    for (const timer of this.#options.state.timers) this.#schedule(timer);
  }

  /** Stops all timers; pending ones stay in the state. */
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
    if (run === undefined) this.#options.log.warn("a stored timer names a task that does not exist", { key, task });
    await run?.(key);
    await this.#options.save();
  }
}
