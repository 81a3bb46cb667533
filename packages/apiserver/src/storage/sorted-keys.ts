const maximumChunk = 512;

/** First index at which `key` could stand in sorted `keys`. */
const lowerBound = (keys: readonly string[], key: string): number => {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] as string) < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
};

/** A sorted set of keys in short chunks: adding and removing stay cheap with very many keys. */
export class SortedKeys {
  /** None is empty. */
  readonly #chunks: string[][] = [];

  /** The chunk that holds `key`, or would hold it. */
  #chunkIndex(key: string): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (((this.#chunks[middle] as string[]).at(-1) as string) < key) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The key must not be there yet. */
  add(key: string): void {
    const index = Math.min(this.#chunkIndex(key), Math.max(this.#chunks.length - 1, 0));
    const chunk = this.#chunks[index];
    if (chunk === undefined) {
      this.#chunks.push([key]);
      return;
    }
    chunk.splice(lowerBound(chunk, key), 0, key);
    if (chunk.length > maximumChunk) {
      this.#chunks.splice(index + 1, 0, chunk.splice(maximumChunk / 2));
    }
  }

  /** The key must be there. */
  remove(key: string): void {
    const index = this.#chunkIndex(key);
    const chunk = this.#chunks[index] as string[];
    chunk.splice(lowerBound(chunk, key), 1);
    if (chunk.length === 0) {
      this.#chunks.splice(index, 1);
    }
  }

  /** Keys from `start` on, in order. The set must not change meanwhile. */
  *from(start: string): Generator<string> {
    for (let index = this.#chunkIndex(start); index < this.#chunks.length; index++) {
      const chunk = this.#chunks[index] as string[];
      for (let at = (chunk[0] as string) < start ? lowerBound(chunk, start) : 0; at < chunk.length; at++) {
        yield chunk[at] as string;
      }
    }
  }
}
