import { setImmediate as nextTurn } from "node:timers/promises";
import { answerTooLarge } from "./errors.ts";

const newline = 0x0a;

/** Decoding this much takes less than a millisecond; then others have their turn, with it all other watches. */
const bytesPerTurn = 65_536;

/** Cuts the parts of a byte stream into lines. */
class LineSplitter {
  readonly #maxBytes: number;
  #begun: Uint8Array[] = [];
  #begunBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that end in this part, without empty ones. */
  split(part: Uint8Array): readonly Buffer[] {
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      const piece = bytes.subarray(start, end);
      const line = this.#begun.length === 0 ? piece : Buffer.concat([...this.#begun, piece]);
      this.#begun = [];
      this.#begunBytes = 0;
      start = end + 1;
      if (line.length > 0) lines.push(line);
    }
    if (start < bytes.length) this.#begun.push(bytes.subarray(start));
    this.#begunBytes += bytes.length - start;
    if (this.#begunBytes > this.#maxBytes) throw answerTooLarge("a line of a watch", this.#maxBytes);
    return lines;
  }
}

/**
 * The lines of a byte stream, as they arrive. Bytes after the last newline are dropped: a watch that breaks in the middle
 * of a line sends that event again. Throws `kube.answer_too_large` for a line that is longer than `maxBytes`.
 */
export async function* watchLines(
  body: AsyncIterable<Uint8Array>,
  maxBytes = Infinity,
): AsyncGenerator<readonly Buffer[]> {
  const splitter = new LineSplitter(maxBytes);
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
