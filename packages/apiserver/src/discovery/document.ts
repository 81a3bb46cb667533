import { jsonText } from "@capstan/schema/structural";
import { createHash } from "node:crypto";

/** A JSON document that is served often and rarely changes. */
export interface Document {
  /** JSON text. */
  readonly text: string;
  /** SHA-256 of the text, hexadecimal. */
  readonly hash: string;
  /** The hash as a strong entity tag, quotes included. */
  readonly etag: string;
}

export const documentOf = (value: unknown): Document => {
  const text = jsonText(value);
  const hash = createHash("sha256").update(text).digest("hex").toUpperCase();
  return { text, hash, etag: `"${hash}"` };
};
