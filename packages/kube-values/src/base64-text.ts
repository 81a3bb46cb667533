/** A text as the `data` of a Secret holds it: base64 of its UTF-8 bytes. */
export const toBase64 = (text: string): string => Buffer.from(text, "utf8").toString("base64");

/** The text of such a value. */
export const fromBase64 = (encoded: string): string => Buffer.from(encoded, "base64").toString("utf8");
