const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Texts of Go are bytes: their length and their parts count those. */
export const bytesOf = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text);

export const textOf = (bytes: Uint8Array): string => decoder.decode(bytes);

export const byteLength = (text: string): number => bytesOf(text).length;

/** The bytes from `start` to before `end` as a text; half a character becomes U+FFFD. */
export const byteSlice = (text: string, start: number, end?: number): string => textOf(bytesOf(text).slice(start, end));

/** A text without a character at its end, however often it is there. */
export const withoutEnd = (text: string, character: string): string => {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
};

/** The runes of a text: its code points. */
export const runesOf = (text: string): readonly string[] => Array.from(text);
