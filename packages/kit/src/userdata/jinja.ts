import { jinjaParts, unpaired, type JinjaPart } from "./jinja-parts.ts";

const opener = /\{[{%#]/;

/** Returns whether Jinja would take something in a text for its own. */
export const looksLikeJinja = (text: string): boolean => opener.test(text);

/** An expression that prints the beginning of one. */
const printed = (text: string): string => `{{ '${text}' }}`;

/** A text that has nothing of Jinja, as a password, written so that Jinja prints it. */
export const printedByJinja = (text: string): string => text.replaceAll(new RegExp(opener, "g"), printed);

const isLiteral = ({ kind }: JinjaPart): boolean => kind === "text" || kind === "raw";
const isJinja = (part: JinjaPart, alone: ReadonlySet<JinjaPart>): boolean => part.kind === "tag" && !alone.has(part);

/** Texts behind one another: a statement may stand in one and its end in a later one. */
const closedTexts = (texts: readonly string[]): readonly string[] => {
  const read = texts.map(jinjaParts);
  const alone = unpaired(read.flat());
  return read.map((parts) =>
    parts.map((part) => (isLiteral(part) || isJinja(part, alone) ? part.text : printedByJinja(part.text))).join(""),
  );
};

/**
 * The text with every `{{`, `{%` and `{#` written so that Jinja prints it that Jinja cannot read: what does not end, as `{#` in the shell's
 * `${#array[@]}`; what is another program's, as in `--format '{{.Names}}'`; what is wrong. One of them, and cloud-init drops the whole
 * document.
 */
export const closedJinja = (text: string): string => closedTexts([text]).join("");

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((member) => typeof member === "string");

/** Every text of a value, closed. A list of texts, as commands are, may have a statement in one and its end in a later one. */
export const withClosedJinja = (value: unknown): unknown => {
  if (typeof value === "string") return closedJinja(value);
  if (isTexts(value)) return closedTexts(value);
  if (Array.isArray(value)) return value.map(withClosedJinja);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withClosedJinja(member)]));
};
