import { gzipSync } from "fflate";

/** Level 9, no name, no time: the same bytes give the same result, so retries do. */
export const gzip = (bytes: Uint8Array): Uint8Array => gzipSync(bytes, { level: 9, mtime: 0 });
