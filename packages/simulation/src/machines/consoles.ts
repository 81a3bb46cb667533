/** A line of a machine's serial console. */
export interface ConsoleLine {
  /** Number of the line among all lines of the simulator, from 0. */
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

  /** Number of lines written since the start, which is the number of the next one. */
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
