import { installationFailure, missingProgram } from "./missing-program.ts";

/** Escape sequences of terminals, then control characters but tabs and line feeds. */
// oxlint-disable-next-line no-control-regex -- control characters are what is taken out
const escapes = /\u001B(?:\[[0-?]*[ -/]*[@-~]|[@-Z\\-_])/g;
// oxlint-disable-next-line no-control-regex -- control characters are what is taken out
const controls = /[\u0000-\u0008\u000B-\u001F\u007F]/g;

/** Returns the final state of a line that was written over. */
const lastState = (line: string): string => line.slice(line.lastIndexOf("\r", line.length - 2) + 1);

/** A log as plain text: lines end in line feeds, and only the last state of a line that was written over is kept. */
export const plainText = (log: string): string =>
  log.replaceAll(escapes, "").replaceAll(/\r+\n/g, "\n").split("\n").map(lastState).join("\n").replaceAll(controls, "");

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

type Lines = readonly string[];

const lastOf =
  (pattern: RegExp) =>
  (lines: Lines): string | undefined =>
    lines.map((line) => pattern.exec(line)?.[0]).findLast((said) => said !== undefined);

/** Patterns of lines that state a cause, the most specific first. */
const causes: readonly ((lines: Lines) => string | undefined)[] = [
  (lines) => missingProgram(lines, { essential: true }),
  lastOf(/\[ERROR [^\]]+\]:.*/),
  lastOf(/error execution phase\b.*/),
  (lines) => missingProgram(lines, { essential: false }),
  lastOf(/(?:error|fatal|panic):.*/i),
  installationFailure,
  lastOf(/\bfailed to .*/i),
  lastOf(/\b(?:fatal|failed|failure|error)\b.*/i),
];

/** Returns the beginning of a text that has more bytes. */
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

/** Returns the cause of a failure from a log, in one line; `undefined` if no line looks like it. */
export const causeOf = (text: string): string | undefined => {
  const lines = text.split("\n").map((line) => line.trim());
  for (const cause of causes) {
    const found = cause(lines);
    if (found !== undefined) return headOf(found, maxCause);
  }
  return undefined;
};

/** A longer log, then a shorter one, so that the end is the shorter's; once, where the longer one has it. */
export const joinedLogs = (longer: string, shorter: string): string => {
  const [first, second] = [longer.replaceAll("\r", "").trimEnd(), shorter.trim()];
  return first.includes(second) ? first : [first, second].filter((text) => text !== "").join("\n");
};
