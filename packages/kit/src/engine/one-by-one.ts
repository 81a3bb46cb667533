/** Work on things with names: on each of them one piece after another, in the order of asking. */
export class OneByOne {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs the work once all that was asked for before under this name has ended, however it did. */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name);
    const turn = (before ?? Promise.resolve()).catch(() => undefined).then(work);
    this.#last.set(name, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(name) === turn) this.#last.delete(name);
    }
  }

  /** Waits until nothing continues under this name. */
  async idle(name: string): Promise<void> {
    while (this.#last.has(name)) await this.#last.get(name)?.catch(() => undefined);
  }
}
