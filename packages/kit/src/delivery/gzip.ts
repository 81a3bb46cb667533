import { gunzipSync, gzipSync } from "fflate";

/** Level 9, no name, no time: the same bytes give the same result, so retries do. */
export const gzip = (bytes: Uint8Array): Uint8Array => gzipSync(bytes, { level: 9, mtime: 0 });

/** Returns whether bytes are packed already, as their first two say: packing them again makes them larger, and machines unpack once. */
export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** The bytes as they were before they were packed, if they were; `undefined` when they cannot be unpacked. */
export const unpacked = (bytes: Uint8Array): Uint8Array | undefined => {
  if (!isGzip(bytes)) return bytes;
  try {
    return gunzipSync(bytes);
  } catch {
    return undefined;
  }
};
