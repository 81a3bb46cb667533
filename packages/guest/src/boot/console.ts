import { rfc3339, type Clock } from "@capstan/contract";

/** The serial console of one machine: what an operator would read to learn why it did not join. */
export class Console {
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #mirror: ((line: string) => void) | undefined;
  readonly #lines: string[] = [];

  constructor(options: {
    readonly mirror?: ((line: string) => void) | undefined;
    readonly clock: Clock;
    /** Oldest lines are dropped beyond this. Default 2000. */ readonly limit?: number;
  }) {
    this.#clock = options.clock;
    this.#limit = options.limit ?? 2000;
    this.#mirror = options.mirror;
  }

  /** `source` is the program that speaks, for example `cloud-init` or `kubeadm`. */
  print(source: string, text: string): void {
    for (const line of text.replace(/\n$/, "").split("\n")) {
      this.#lines.push(`${rfc3339(this.#clock.now())} ${source}: ${line}`);
      this.#mirror?.(`${source}: ${line}`);
    }
    if (this.#lines.length > this.#limit) this.#lines.splice(0, this.#lines.length - this.#limit);
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  text(): string {
    return this.#lines.map((line) => `${line}\n`).join("");
  }
}
