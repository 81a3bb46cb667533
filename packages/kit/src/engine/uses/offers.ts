/** To whom things that many want were offered first, so that those who ask at once do not all try to take the same one. */
export class Offers<Thing> {
  readonly #holders = new Map<Thing, string>();

  /** Forgets objects that no longer exist. */
  keep(things: readonly Thing[]): void {
    const present = new Set(things);
    for (const thing of this.#holders.keys()) if (!present.has(thing)) this.#holders.delete(thing);
  }

  /** Returns the objects, those not offered to other users first; the first one is reserved for the caller. */
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
