const opener = /\{[{%#]/;

/** Whether Jinja would take something in a text for its own. */
export const looksLikeJinja = (text: string): boolean => opener.test(text);

/** An expression that prints the beginning of one. */
const printed = (text: string): string => `{{ '${text}' }}`;

/** A text that has nothing of Jinja, as a password, written so that Jinja prints it. */
export const printedByJinja = (text: string): string => text.replaceAll(new RegExp(opener, "g"), printed);

const closers: Readonly<Record<string, string>> = { "{{": "}}", "{%": "%}", "{#": "#}" };

/** Actions of Go's templates and of Mustache, in which programs like kubectl take formats: no expression of Jinja begins like them. */
const foreignExpression =
  /^-?\s*(?:[.$`/#^!>&]|(?:if|with|range|template|define|block|else)\s+\S|(?:end|else|break|continue)\s*-?$|(?!not\s)\w+\s+[.$"'`])/;

const statement =
  /^[-+]?\s*(?:(?:end)?(?:if|for|set|macro|call|filter|block|raw|with|autoescape)|elif|else|include|import|from|extends)\b/;

const raw = /^\{%[-+]?\s*raw\s*-?%\}[^]*?\{%[-+]?\s*endraw\s*[-+]?%\}/;

const isForeign = (opening: string, inner: string): boolean => {
  if (opening === "{{") return foreignExpression.test(inner);
  return opening === "{%" && !statement.test(inner);
};

/** What Jinja reads at the beginning of a text: up to the closer, or to the end of what it is to leave alone. */
const jinjaAt = (text: string, opening: string): string | undefined => {
  const [untouched] = raw.exec(text) ?? [];
  if (untouched !== undefined) return untouched;
  const closer = text.indexOf(closers[opening] ?? "", 2);
  return closer < 0 || isForeign(opening, text.slice(2, closer)) ? undefined : text.slice(0, closer + 2);
};

/**
 * The text with every `{{`, `{%` and `{#` written so that Jinja prints it that does not end in it, as `{#` in the shell's `${#array[@]}`, or
 * that is another program's, as in `--format '{{.Names}}'`: one that Jinja cannot read, and cloud-init drops the whole document.
 */
export const closedJinja = (text: string): string => {
  let [closed, rest] = ["", text];
  for (;;) {
    const [found] = opener.exec(rest) ?? [];
    if (found === undefined) return closed + rest;
    const begin = rest.indexOf(found);
    const kept = jinjaAt(rest.slice(begin), found);
    closed += rest.slice(0, begin) + (kept ?? printed(found));
    rest = rest.slice(begin + (kept ?? found).length);
  }
};

/** Every text of a value, closed. */
export const withClosedJinja = (value: unknown): unknown => {
  if (typeof value === "string") return closedJinja(value);
  if (Array.isArray(value)) return value.map(withClosedJinja);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withClosedJinja(member)]));
};
