import type { StoredChange, StoredObject } from "./stored-object.ts";

const maximumChanges = 10_000;
const maximumCharacters = 64 * 1024 * 1024;
/** Dropped changes leave memory when there are this many. */
const droppedChanges = 500;
/** Kept however old they are: whoever watches what changes seldom comes back to them. */
const leastChanges = 200;

/** The latest changes of one store, for watches that start in the past and for reads at an older revision. */
export class ChangeHistory {
  /** Changes in order; those before `#start` are dropped. */
  #changes: StoredChange[] = [];
  #start = 0;
  #characters = 0;
  #floor: number;

  constructor(floor: number) {
    this.#floor = floor;
  }

  /** Changes after this revision are all known. */
  get floor(): number {
    return this.#floor;
  }

  add(change: StoredChange): void {
    this.#changes.push(change);
    this.#characters += change.object.text.length;
    while (this.#length > maximumChanges || this.#characters > maximumCharacters) {
      this.#dropFirst();
    }
    if (this.#start >= droppedChanges) {
      this.#release();
    }
  }

  /** Drops changes up to a revision, but for the latest. */
  forget(revision: number): void {
    while (this.#length > leastChanges && (this.#changes[this.#start] as StoredChange).revision <= revision) {
      this.#dropFirst();
    }
    if (this.#start > 0) {
      this.#release();
    }
  }

  get #length(): number {
    return this.#changes.length - this.#start;
  }

  #dropFirst(): void {
    const dropped = this.#changes[this.#start++] as StoredChange;
    this.#characters -= dropped.object.text.length;
    this.#floor = dropped.revision;
  }

  #release(): void {
    this.#changes = this.#changes.slice(this.#start);
    this.#start = 0;
  }

  /** Changes after `revision`, in order, the first `most` of them; `undefined` when some are dropped. */
  since(revision: number, most = Infinity): readonly StoredChange[] | undefined {
    if (revision < this.#floor) {
      return undefined;
    }
    let [low, high] = [this.#start, this.#changes.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#changes[middle] as StoredChange).revision > revision) high = middle;
      else low = middle + 1;
    }
    return this.#changes.slice(low, low + most);
  }

  /** For each key that has changed since `revision`, its state then (`undefined`: it did not exist). */
  statesAt(revision: number): ReadonlyMap<string, StoredObject | undefined> | undefined {
    const changes = this.since(revision);
    if (changes === undefined) {
      return undefined;
    }
    const states = new Map<string, StoredObject | undefined>();
    for (const change of changes) {
      if (!states.has(change.object.key)) {
        states.set(change.object.key, change.previous);
      }
    }
    return states;
  }
}
