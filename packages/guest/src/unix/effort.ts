import { setImmediate as nextTurn } from "node:timers/promises";

/** Commands and statements that one script may run: waiting for an hour, every second, takes less. */
const most = 100_000;
/** Others have their turn after so many. */
const perTurn = 20;

/** Characters that one command prints, or a variable holds. */
export const longestOutput = 2 ** 20;

/** Effort of a script so far. An endless loop ends, and does not block the rest of the process meanwhile. */
export class Effort {
  #steps = 0;
  #seed = 1;

  /** The next of numbers that look random, from 0 to 32767; the same ones in every script. */
  random(): number {
    this.#seed = (this.#seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return (this.#seed >> 16) & 0x7f_ff;
  }

  /** Called before every command. Rejects when the script takes too many, or the machine is off. */
  async step(signal: AbortSignal): Promise<void> {
    this.#steps += 1;
    if (this.#steps > most) {
      throw new EffortError(`the script runs more than ${most} commands, which the model does not`);
    }
    if (this.#steps % perTurn !== 0) return;
    await nextTurn();
    signal.throwIfAborted();
  }
}

/** Ends the whole script, whatever the command is part of. */
export class EffortError extends Error {}
