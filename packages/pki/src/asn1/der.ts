/** Writes values of ASN.1 as DER (X.690). */

const lengthBytes = (length: number): Buffer => {
  if (length < 0x80) return Buffer.from([length]);
  const digits = length.toString(16);
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex");
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
};

/** Any value: its tag as one byte, and what is inside. */
export const tagged = (tag: number, ...content: readonly Uint8Array[]): Buffer => {
  const bytes = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), lengthBytes(bytes.length), bytes]);
};

export const sequence = (...parts: readonly Uint8Array[]): Buffer => tagged(0x30, ...parts);

export const setOf = (part: Uint8Array): Buffer => tagged(0x31, part);

export const octetString = (bytes: Uint8Array): Buffer => tagged(0x04, bytes);

/** `unused`: bits at the end of the last byte that do not count. Default 0. */
export const bitString = (bytes: Uint8Array, unused = 0): Buffer => tagged(0x03, Buffer.from([unused]), bytes);

export const yes: Buffer = tagged(0x01, Buffer.from([0xff]));

export const none: Buffer = tagged(0x05);

/** A number that is not negative, from its bytes, the highest first. */
export const integer = (bytes: Uint8Array): Buffer => {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first === -1 ? Buffer.alloc(1) : Buffer.from(bytes.subarray(first));
  return tagged(0x02, ...((digits[0] ?? 0) < 0x80 ? [digits] : [Buffer.alloc(1), digits]));
};

const base128 = (number: number): number[] => {
  const digits = [number & 0x7f];
  for (let rest = Math.floor(number / 128); rest > 0; rest = Math.floor(rest / 128)) {
    digits.unshift((rest & 0x7f) | 0x80);
  }
  return digits;
};

/** An object identifier, as `2.5.4.3`. */
export const oid = (text: string): Buffer => {
  const [root = 0, branch = 0, ...others] = text.split(".").map(Number);
  return tagged(0x06, Buffer.from([root * 40 + branch, ...others].flatMap(base128)));
};

/** As Go writes a text in a name: a PrintableString where its letters allow it, else an UTF8String. */
export const nameText = (text: string): Buffer =>
  tagged(/^[A-Za-z0-9 '()+,\-./:=?]*$/.test(text) ? 0x13 : 0x0c, Buffer.from(text));

/** A time in milliseconds since the epoch, to the second: UTCTime until 2049, then GeneralizedTime (RFC 5280, section 4.1.2.5). */
export const time = (ms: number): Buffer => {
  const text = `${new Date(ms).toISOString().replaceAll(/[-:T]|\..*/g, "")}Z`;
  const isShort = text < "2050";
  return tagged(isShort ? 0x17 : 0x18, Buffer.from(isShort ? text.slice(2) : text));
};
