const opener = /\{[{%#]/;

/** Whether Jinja would take something in a text for its own. */
export const looksLikeJinja = (text: string): boolean => opener.test(text);

/** An expression that prints the beginning of one. */
const printed = (text: string): string => `{{ '${text}' }}`;

/** A text that has nothing of Jinja, as a password, written so that Jinja prints it. */
export const printedByJinja = (text: string): string => text.replaceAll(new RegExp(opener, "g"), printed);

/** Actions of Go's templates and of Mustache, in which programs like kubectl take formats: no expression of Jinja begins like them. */
const foreignExpression =
  /^-?\s*(?:[.$`/#^!>&]|(?:if|with|range|template|define|block|else)\s+\S|(?:end|else|break|continue)\s*-?$|(?!not\s)\w+\s+[.$"'`])/;

const statement =
  /^[-+]?\s*(?:(?:end)?(?:if|for|set|macro|call|filter|block|raw|with|autoescape)|elif|else|include|import|from|extends)\b/;

const rawBegin = /\{%[-+]?\s*raw\s*-?%\}/y;
const rawEnd = /\{%[-+]?\s*endraw\s*[-+]?%\}/g;

const isForeign = (opening: string, inner: string): boolean => {
  if (opening === "{{") return foreignExpression.test(inner);
  return opening === "{%" && !statement.test(inner);
};

/** The place behind the next match; asked from the front to the end, it reads a text once. */
const nextEnd = (text: string, pattern: RegExp): ((from: number) => number | undefined) => {
  const matches = text.matchAll(pattern);
  let match: RegExpExecArray | undefined;
  return (from) => {
    while (match === undefined || match.index < from) {
      const { done, value } = matches.next();
      if (done === true) return undefined;
      match = value;
    }
    return match.index + match[0].length;
  };
};

/** Where in a text ends what Jinja reads from a place on: at the closer, or behind what it is to leave alone. */
const jinjaEnds = (text: string): ((begin: number, opening: string) => number | undefined) => {
  const endOfRaw = nextEnd(text, rawEnd);
  const endOf: Readonly<Record<string, ReturnType<typeof nextEnd>>> = {
    "{{": nextEnd(text, /\}\}/g),
    "{%": nextEnd(text, /%\}/g),
    "{#": nextEnd(text, /#\}/g),
  };
  return (begin, opening) => {
    rawBegin.lastIndex = begin;
    const untouched = rawBegin.test(text) ? endOfRaw(begin) : undefined;
    if (untouched !== undefined) return untouched;
    const end = endOf[opening]?.(begin + 2);
    return end === undefined || isForeign(opening, text.slice(begin + 2, end - 2)) ? undefined : end;
  };
};

/**
 * The text with every `{{`, `{%` and `{#` written so that Jinja prints it that does not end in it, as `{#` in the shell's `${#array[@]}`, or
 * that is another program's, as in `--format '{{.Names}}'`: one that Jinja cannot read, and cloud-init drops the whole document.
 */
export const closedJinja = (text: string): string => {
  const endAt = jinjaEnds(text);
  let [closed, at] = ["", 0];
  for (const { 0: opening, index } of text.matchAll(new RegExp(opener, "g"))) {
    if (index < at) continue;
    const end = endAt(index, opening);
    closed += text.slice(at, index) + (end === undefined ? printed(opening) : text.slice(index, end));
    at = end ?? index + opening.length;
  }
  return closed + text.slice(at);
};

/** Every text of a value, closed. */
export const withClosedJinja = (value: unknown): unknown => {
  if (typeof value === "string") return closedJinja(value);
  if (Array.isArray(value)) return value.map(withClosedJinja);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withClosedJinja(member)]));
};
