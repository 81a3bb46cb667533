/** A URL that holds bytes themselves. */
export const bytesUrl = (bytes: Uint8Array, type = ""): string =>
  `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;

/** A URL that holds a text itself, in the shorter of the two ways. */
export const textUrl = (text: string): string => {
  const [plain, packed] = [`data:,${encodeURIComponent(text.toWellFormed())}`, bytesUrl(Buffer.from(text))];
  return packed.length < plain.length ? packed : plain;
};
