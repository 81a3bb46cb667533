/** Escape sequences of terminals, then control characters but tabs and line feeds. */
// oxlint-disable-next-line no-control-regex -- control characters are what is taken out
const escapes = /\u001B(?:\[[0-?]*[ -/]*[@-~]|[@-Z\\-_])/g;
// oxlint-disable-next-line no-control-regex -- control characters are what is taken out
const controls = /[\u0000-\u0008\u000B-\u001F\u007F]/g;

/** A log as plain text: lines end in line feeds, and only the last state of a line that was written over is kept. */
export const plainText = (log: string): string =>
  log
    .replaceAll(escapes, "")
    .replaceAll(/\r+\n/g, "\n")
    .replaceAll(/[^\n]*\r(?=[^\n])/g, "")
    .replaceAll(controls, "");

/** The last lines of a text that have together at most so many bytes; of a longer last line, its end. */
export const tailOf = (text: string, maxBytes: number): string => {
  const bytes = Buffer.from(text.trimEnd());
  if (bytes.length <= maxBytes) return bytes.toString("utf8");
  const from = bytes.length - maxBytes;
  const lineEnd = bytes.indexOf("\n", from - 1);
  if (lineEnd >= 0) return bytes.subarray(lineEnd + 1).toString("utf8");
  // In the middle of a character its rest is left out too.
  const start = bytes.findIndex((byte, index) => index >= from && (byte & 0xc0) !== 0x80);
  return start < 0 ? "" : bytes.subarray(start).toString("utf8");
};

/** Lines that say why, those that say most first. */
const causePatterns: readonly RegExp[] = [
  /\[ERROR [^\]]+\]:.*/,
  /error execution phase\b.*/,
  /(?:error|fatal|panic):.*/i,
  /\bcurl: \(\d+\) .*/,
  /\bJob for \S+ failed\b.*/,
  /\bfailed to .*/i,
  /\b(?:fatal|failed|failure|error)\b.*/i,
];

/** Of a text of more bytes, its beginning. */
export const headOf = (text: string, maxBytes: number): string => {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const room = maxBytes - Buffer.byteLength("…");
  const bytes = Buffer.from(text);
  let end = room;
  // A character is not cut in two.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return `${bytes.subarray(0, end).toString("utf8")}…`;
};

const maxCause = 256;

/** What a log says about a failure, in one line; `undefined` when no line looks like it. */
export const causeOf = (text: string): string | undefined => {
  const lines = text.split("\n").map((line) => line.trim());
  for (const pattern of causePatterns) {
    const found = lines.map((line) => pattern.exec(line)?.[0]).filter((said) => said !== undefined);
    const last = found.at(-1);
    if (last !== undefined) return headOf(last, maxCause);
  }
  return undefined;
};

/** A longer log, then a shorter one, so that the end is the shorter's; once, where the longer one has it. */
export const joinedLogs = (longer: string, shorter: string): string => {
  const [first, second] = [longer.replaceAll("\r", "").trimEnd(), shorter.trim()];
  return first.includes(second) ? first : [first, second].filter((text) => text !== "").join("\n");
};
