const escaped = /((?<![\uD800-\uDBFF])[\uDC80-\uDCFF]+)/;

const strict = new TextDecoder("utf-8", { fatal: true });

/** The text of a file. Of bytes that are no UTF-8, those above 127 become lone surrogates, as with Python's surrogateescape. */
export const textOfBytes = (bytes: Uint8Array): string => {
  try {
    return strict.decode(bytes);
  } catch {
    return Array.from(bytes, (byte) => String.fromCharCode(byte > 127 ? 0xdc00 + byte : byte)).join("");
  }
};

/** The bytes of a text, also of one that `textOfBytes` made. */
export const bytesOfText = (text: string): Buffer => {
  const parts = text.split(escaped);
  if (parts.length === 1) return Buffer.from(text);
  return Buffer.concat(
    parts.map((part, index) =>
      index % 2 === 0 ? Buffer.from(part) : Buffer.from(Array.from(part, (sign) => sign.charCodeAt(0) & 0xff)),
    ),
  );
};
