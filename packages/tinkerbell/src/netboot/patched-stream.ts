/** Bytes in the place of others, of the same length. */
export interface Replacement {
  readonly search: Buffer;
  readonly replace: Buffer;
}

const replaced = (chunk: Buffer, { replace, search }: Replacement): Buffer => {
  for (let at = chunk.indexOf(search); at !== -1; at = chunk.indexOf(search, at + search.length)) {
    replace.copy(chunk, at);
  }
  return chunk;
};

/** Replaces wherever it stands, also where it lies in two pieces; holds back no more than the length of what is searched. */
export const replacedIn = async function* (
  source: AsyncIterable<Uint8Array>,
  replacement: Replacement,
): AsyncGenerator<Buffer> {
  let kept: Buffer = Buffer.alloc(0);
  for await (const piece of source) {
    const chunk = replaced(Buffer.concat([kept, piece]), replacement);
    const end = Math.max(0, chunk.length - (replacement.search.length - 1));
    if (end > 0) yield chunk.subarray(0, end);
    kept = chunk.subarray(end);
  }
  if (kept.length > 0) yield kept;
};

/** Leaves out the first bytes, and ends after so many; then the source is ended as well. */
export const cutFrom = async function* (
  source: AsyncIterable<Buffer>,
  { length, skip }: { readonly skip: number; readonly length: number },
): AsyncGenerator<Buffer> {
  let at = 0;
  for await (const chunk of source) {
    const piece = chunk.subarray(Math.max(0, skip - at), Math.max(0, skip + length - at));
    at += chunk.length;
    if (piece.length > 0) yield piece;
    if (at >= skip + length) return;
  }
};
