import { setImmediate as nextTurn } from "node:timers/promises";

const newline = 0x0a;

/** Decoding this much takes less than a millisecond; then others have their turn, with it all other watches. */
const bytesPerTurn = 65_536;

/** Cuts the parts of a byte stream into lines. */
class LineSplitter {
  #begun: Uint8Array[] = [];

  /** The lines that end in this part, without empty ones. */
  split(part: Uint8Array): readonly Buffer[] {
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      const piece = bytes.subarray(start, end);
      const line = this.#begun.length === 0 ? piece : Buffer.concat([...this.#begun, piece]);
      this.#begun = [];
      start = end + 1;
      if (line.length > 0) lines.push(line);
    }
    if (start < bytes.length) this.#begun.push(bytes.subarray(start));
    return lines;
  }
}

/**
 * The lines of a byte stream, as they arrive. Bytes after the last newline are dropped: a watch that breaks in the middle
 * of a line sends that event again.
 */
export async function* watchLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Buffer[]> {
  const splitter = new LineSplitter();
  let bytesInTurn = 0;
  for await (const part of body) {
    yield splitter.split(part);
    bytesInTurn += part.length;
    if (bytesInTurn >= bytesPerTurn) {
      bytesInTurn = 0;
      await nextTurn();
    }
  }
}
