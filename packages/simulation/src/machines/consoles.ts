/** A line of a machine's serial console. */
export interface ConsoleLine {
  /** Of all lines of the simulator, counted from 0. */
  readonly number: number;
  readonly at: number;
  readonly text: string;
}

const kept = 1000;

/** Serial consoles of machines, the newest lines of each. */
export class Consoles {
  readonly #lines = new Map<string, ConsoleLine[]>();
  readonly #now: () => number;
  #next = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** How many lines were written since the start: the number of the next one. */
  get next(): number {
    return this.#next;
  }

  /** From a number on. */
  lines(machine: string, since = 0): readonly ConsoleLine[] {
    const lines = this.#lines.get(machine) ?? [];
    const first = lines.findIndex(({ number }) => number >= since);
    return first < 0 ? [] : lines.slice(first);
  }

  write(machine: string, text: string): void {
    const lines = this.#lines.get(machine) ?? [];
    this.#lines.set(machine, lines);
    lines.push({ number: this.#next++, at: this.#now(), text });
    if (lines.length > kept) lines.shift();
  }

  remove(machine: string): void {
    this.#lines.delete(machine);
  }
}
