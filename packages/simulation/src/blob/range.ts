import { blobRefusal } from "./blob-refusal.ts";

/** Part of a body, and what Content-Range says of it. */
export interface Part {
  readonly bytes: Uint8Array;
  readonly range: string;
}

/**
 * Returns the part of a body that a Range header asks for; `undefined` for all of it. A range that ends after the body
 * is cut to it.
 */
export const partOf = (body: Uint8Array, range: string | undefined): Part | undefined => {
  if (range === undefined) return undefined;
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? [];
  // As with HTTP in general, a header of another form, such as `bytes=-100`, is as if it were not there.
  if (first === undefined) return undefined;
  const start = Number(first);
  const end = Math.min(last === undefined || last === "" ? Infinity : Number(last), body.length - 1);
  if (start >= body.length || end < start) {
    const headers = { "content-range": `bytes */${body.length}` };
    throw blobRefusal(416, "InvalidRange", "The range specified is invalid for the current size of the resource.", {
      headers,
    });
  }
  return { bytes: body.subarray(start, end + 1), range: `bytes ${start}-${end}/${body.length}` };
};
