import { setImmediate as nextTurn } from "node:timers/promises";

const newline = 0x0a;

/** Decoding this much takes less than a millisecond; then others have their turn, with it all other watches. */
const bytesPerTurn = 16_384;

/**
 * The lines of a byte stream, decoded as UTF-8. Bytes after the last newline are dropped: a watch that breaks in the
 * middle of a line sends that event again.
 */
export async function* watchLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  let bytesInTurn = 0;
  for await (const bytes of body) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      const piece = chunk.subarray(start, end);
      const line = rest.length === 0 ? piece : Buffer.concat([...rest, piece]);
      rest = [];
      start = end + 1;
      if (line.length > 0) yield line.toString("utf8");
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
    bytesInTurn += chunk.length;
    if (bytesInTurn >= bytesPerTurn) {
      bytesInTurn = 0;
      await nextTurn();
    }
  }
}
