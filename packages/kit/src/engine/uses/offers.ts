/** To whom things that many want were offered first, so that those who ask at once do not all try to take the same one. */
export class Offers<Thing> {
  readonly #holders = new Map<Thing, string>();

  /** Forgets what is not there any more. */
  keep(things: readonly Thing[]): void {
    const present = new Set(things);
    for (const thing of this.#holders.keys()) if (!present.has(thing)) this.#holders.delete(thing);
  }

  /** The things, those that nobody else was offered first; the first of them is the asker's from then on. */
  to(asker: string, things: readonly Thing[]): readonly Thing[] {
    const rank = (thing: Thing): number => {
      const holder = this.#holders.get(thing);
      if (holder === undefined) return 1;
      return holder === asker ? 0 : 2;
    };
    const ranked = things.toSorted((a, b) => rank(a) - rank(b));
    const [first] = ranked;
    if (first !== undefined && rank(first) === 1) this.#holders.set(first, asker);
    return ranked;
  }
}
