import type { Clock } from "@capstan/contract";

/** Time in which a resource may still appear after its object is gone. */
const rememberedMs = 3_600_000;

/**
 * Tags of objects that were let go here, after everything of theirs was deleted. What a list shows with such a tag came later, of a request
 * that had no answer, and belongs to no one. Things of objects that went in another way are not among them: those of another management
 * cluster, those that were moved there, and those whose finalizer someone took away to keep them.
 */
export class DeletedTags {
  readonly #clock: Clock;
  readonly #until = new Map<string, number>();
  readonly #sweeping = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(tag: string): void {
    const now = this.#clock.now();
    for (const [each, until] of this.#until) if (until <= now) this.#until.delete(each);
    this.#until.set(tag, now + rememberedMs);
  }

  /** An object that is there again, as after its API server was restored, has its things. */
  delete(tag: string): void {
    this.#until.delete(tag);
  }

  /** Has everything deleted that came late; a failure is one for `onFailure`, and the next list retries. */
  sweep<Item>(
    byTag: ReadonlyMap<string, Item>,
    remove: (item: Item) => Promise<void>,
    outcome: { readonly onRemoved: (tag: string) => void; readonly onFailure: (tag: string, error: unknown) => void },
  ): void {
    const now = this.#clock.now();
    for (const [tag, until] of this.#until) {
      const item = byTag.get(tag);
      if (item === undefined || until <= now || this.#sweeping.has(tag)) continue;
      this.#sweeping.add(tag);
      remove(item)
        .then(
          () => outcome.onRemoved(tag),
          (error: unknown) => outcome.onFailure(tag, error),
        )
        .finally(() => this.#sweeping.delete(tag));
    }
  }
}
