/** Queue by flow: flows take turns, and each is in order. */
export class FairQueue<T extends { readonly flow: string }> {
  /** The flow whose turn it is comes first. None is empty. */
  readonly #waiting = new Map<string, T[]>();

  /** Returns the number of waiting items of a flow. */
  waiting(flow: string): number {
    return this.#waiting.get(flow)?.length ?? 0;
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  add(item: T): void {
    const line = this.#waiting.get(item.flow);
    if (line === undefined) this.#waiting.set(item.flow, [item]);
    else line.push(item);
  }

  /** Takes the first of the next flow that may continue; that flow is last then. `undefined` when none may, or nothing waits. */
  take(mayGo: (flow: string) => boolean): T | undefined {
    for (const [flow, line] of this.#waiting) {
      if (!mayGo(flow)) continue;
      const item = line.shift();
      this.#waiting.delete(flow);
      if (line.length > 0) this.#waiting.set(flow, line);
      return item;
    }
    return undefined;
  }
}
