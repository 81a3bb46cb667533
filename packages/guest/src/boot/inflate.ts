import { promisify } from "node:util";
import { gunzip, gunzipSync } from "node:zlib";

const inflateLater = promisify(gunzip);

/** Bytes that user-data, and the files of one document together, unpack to at most. */
const largestDocument = 64 * 2 ** 20;
const largestFiles = 8 * 2 ** 20;

/** Unpacks gzip beside the other work of the process. Rejects for what is none, or too large. */
export const inflated = async (bytes: Uint8Array): Promise<Uint8Array> =>
  inflateLater(bytes, { maxOutputLength: largestDocument });

/** Unpacks the files of one document, which together have a limit. */
export class Inflater {
  #left = largestFiles;

  /** Throws for what is no gzip, or too large. */
  inflate(bytes: Uint8Array): Uint8Array {
    const found = gunzipSync(bytes, { maxOutputLength: Math.max(1, this.#left) });
    this.#left -= found.length;
    return found;
  }
}
