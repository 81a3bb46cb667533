import type { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createZstdDecompress } from "node:zlib";

/** The stream again, with the part that was taken from it. */
async function* withHead(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head;
  yield* { [Symbol.asyncIterator]: () => rest };
}

/** Packings of archives, by the bytes that they begin with. */
const packings = [
  { magic: "1f8b", unpacking: createGunzip },
  { magic: "28b52ffd", unpacking: createZstdDecompress },
] as const;

/** Yields an archive as tar, whether it is packed or not. Throws what zlib throws, with a code that begins with Z. */
export async function* plainTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const rest = source[Symbol.asyncIterator]();
  const first = await rest.next();
  if (first.done === true) return;
  const whole = withHead(first.value, rest);
  const magic = Buffer.from(first.value.subarray(0, 4)).toString("hex");
  const packing = packings.find((known) => magic.startsWith(known.magic));
  if (packing === undefined) yield* whole;
  else yield* unpacked(whole, packing.unpacking());
}

async function* unpacked(packed: AsyncIterable<Uint8Array>, unpacking: Transform): AsyncGenerator<Uint8Array> {
  // The reader of the stream sees a failure. The pipeline handles one that comes after the last read, which would end the process.
  const piped = pipeline(packed, unpacking).catch(() => undefined);
  try {
    yield* unpacking as AsyncIterable<Uint8Array>;
  } finally {
    unpacking.destroy();
    await piped;
  }
}
