const kept = 1000;

/** Serial consoles of machines, the newest lines of each. */
export class Consoles {
  readonly #lines = new Map<string, string[]>();

  lines(machine: string): readonly string[] {
    return this.#lines.get(machine) ?? [];
  }

  write(machine: string, line: string): void {
    const lines = this.#lines.get(machine) ?? [];
    this.#lines.set(machine, lines);
    lines.push(line);
    if (lines.length > kept) lines.shift();
  }

  remove(machine: string): void {
    this.#lines.delete(machine);
  }
}
