/** Remembers what was made for the latest `limit` keys. */
export class RecentValues<K, V> {
  readonly #values = new Map<K, V>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The remembered value, or the one that `make` makes. */
  get(key: K, make: () => V): V {
    const known = this.#values.get(key);
    if (known !== undefined) {
      return known;
    }
    const made = make();
    this.#values.set(key, made);
    if (this.#values.size > this.#limit) {
      this.#values.delete(this.#values.keys().next().value as K);
    }
    return made;
  }
}
