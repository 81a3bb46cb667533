/** Bytes of a stream, read in pieces of a wanted size. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** So many bytes; `undefined` when the stream ends before the first of them. Throws `RangeError` when it ends in between. */
  async read(size: number): Promise<Uint8Array | undefined> {
    const parts: Uint8Array[] = [];
    let missing = size;
    for await (const part of this.parts(size)) {
      parts.push(part);
      missing -= part.length;
    }
    if (missing === size && size > 0) return undefined;
    return parts.length === 1 ? parts[0] : new Uint8Array(Buffer.concat(parts));
  }

  /** So many bytes in the pieces in which they come. Throws `RangeError` when the stream ends after the first. */
  async *parts(size: number): AsyncGenerator<Uint8Array> {
    let missing = size;
    while (missing > 0) {
      if (this.#rest.length === 0) {
        const next = await this.#source.next();
        if (next.done === true) {
          if (missing === size) return;
          throw new RangeError("the stream ends too early");
        }
        this.#rest = next.value;
        continue;
      }
      const part = this.#rest.subarray(0, missing);
      this.#rest = this.#rest.subarray(part.length);
      missing -= part.length;
      yield part;
    }
  }
}
