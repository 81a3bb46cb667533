import { storeErrors } from "./store-errors.ts";

const storeError = storeErrors();
const maxKeyBytes = 1024;

/** Throws `objectstore.invalid_argument` unless the key has 1 to 1024 bytes. */
export const checkKey = (key: string, doing: string): void => {
  const size = Buffer.byteLength(key);
  if (size === 0 || size > maxKeyBytes) {
    throw storeError("invalidArgument", doing, `the key must have 1 to ${maxKeyBytes} bytes, not ${size}`);
  }
};

/** Throws `objectstore.invalid_argument` for no bytes, `objectstore.too_large` for too many. */
export const checkSize = (bytes: Uint8Array, maxBytes: number, doing: string): void => {
  if (bytes.length === 0) throw storeError("invalidArgument", doing, "there is nothing to store");
  if (bytes.length > maxBytes) {
    throw storeError("tooLarge", doing, `${bytes.length} bytes are more than ${maxBytes}`);
  }
};

/** Throws `objectstore.invalid_argument` unless a URL may be valid for so long. */
export const checkExpiry = (seconds: number, maxSeconds: number, doing: string): void => {
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= maxSeconds) return;
  const why = `a URL may be valid for 1 to ${maxSeconds} whole seconds, not ${seconds}`;
  throw storeError("invalidArgument", doing, why);
};
