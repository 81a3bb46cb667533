import { trimmedJinja } from "./trimmed-jinja.ts";
import { withoutLineEnds } from "./without-line-ends.ts";

/**
 * Scalars that every YAML reader takes as the same string: cloud-init's is a YAML 1.1 reader (`yes`, `0640` and `1:30` are not strings
 * there), most others speak 1.2.
 */
const ambiguous: readonly RegExp[] = [
  /^(?:y|n|yes|no|true|false|on|off|null|~|<<|=)$/i,
  /^[-+]?(?:0b[01_]+|0o?[0-7_]+|0x[0-9a-f_]+|[0-9][0-9_]*)$/i,
  // No digit can be read in two ways: otherwise a long text of digits takes the square of its length.
  /^[-+]?(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9_]*|_[0-9_]*)?(?:e[-+]?[0-9]+)?$/i,
  /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/,
  /^[-+]?\.(?:inf|nan)$/i,
  /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt\s].*)?$/,
];

/** Characters that no plain, single-quoted or block scalar can hold for every reader. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const unprintable = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]|\p{Surrogate}/u;

const isPlain = (value: string): boolean =>
  value !== "" &&
  !unprintable.test(value) &&
  !/[\n\t]/.test(value) &&
  !/^[\s,[\]{}#&*!|>'"%@`?:]/.test(value) &&
  !/^-(?:\s|-|$)/.test(value) &&
  !value.startsWith("...") &&
  !/\s$|:$|:\s|\s#/.test(value) &&
  !ambiguous.some((pattern) => pattern.test(value));

const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\" };

const escape = (character: string): string => {
  const known = escapes[character];
  if (known !== undefined) return known;
  const code = character.charCodeAt(0).toString(16).padStart(4, "0");
  return `\\u${code}`;
};

// oxlint-disable-next-line no-control-regex -- control characters are what is escaped
const escaped = /["\\\u0000-\u001F\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]|\p{Surrogate}/gu;

const escapedText = (value: string): string => value.replaceAll(escaped, escape);
const doubleQuoted = (value: string): string => `"${escapedText(value)}"`;
const singleQuoted = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** Jinja is rendered before the YAML is read: inside its braces nothing may be escaped. */
const hasJinja = (value: string): boolean => value.includes("{{") || value.includes("{%");

const fitsBlock = (value: string): boolean => !unprintable.test(value) && !/^\s*$|\n[ \t]+$/.test(value);

/** The literal block of a text, its lines indented by `indent` spaces. */
const block = (value: string, indent: string): string => {
  const body = withoutLineEnds(value);
  const trailing = value.length - body.length;
  const chomp = ["-", ""][trailing] ?? "+";
  const explicit = /^[\s]/.test(value) ? "2" : "";
  const lines = body.split("\n").map((line) => (line === "" ? "" : `${indent}${line}`));
  return `|${explicit}${chomp}\n${lines.join("\n")}${"\n".repeat(Math.max(0, trailing - 1))}`;
};

/** One line: a map key, or a text without line breaks. */
export const inlineText = (value: string): string => {
  if (isPlain(value)) return value;
  if (unprintable.test(value) || /[\n\t]/.test(value)) return doubleQuoted(value);
  return hasJinja(value) && value.includes("'") ? doubleQuoted(value) : singleQuoted(value);
};

/**
 * A text of a document that Jinja renders before it is read. Jinja takes line ends away behind its statements, and with `-` all blanks around
 * them: where that would tear the document, they are removed here, and the rest is written in one line. What is between Jinja's braces
 * is written as it is, for no reader of YAML sees it.
 */
export const jinjaTextValue = (value: string, indent: string): string => {
  const parts = trimmedJinja(value);
  const isHard = parts.some(({ tag, text }) => tag && /["\\]/.test(text)) && !fitsBlock(value) && !isPlain(value);
  if (!isHard && !parts.some(({ tears }) => tears)) return textValue(value, indent);
  return `"${parts.map(({ tag, text }) => (tag ? text : escapedText(text))).join("")}"`;
};

/** A text value; `indent` is what the lines of a block are indented by. */
export const textValue = (value: string, indent: string): string => {
  const awkwardJinja = hasJinja(value) && /['\t]/.test(value) && /["\\]/.test(value) && !isPlain(value);
  if ((value.includes("\n") || awkwardJinja) && fitsBlock(value)) return block(value, indent);
  return inlineText(value);
};

/** A number as JSON writes it, with the point that YAML 1.1 wants before an exponent. */
export const numberValue = (value: number): string => {
  const written = JSON.stringify(value);
  return written.includes("e") && !written.includes(".") ? written.replace("e", ".0e") : written;
};
