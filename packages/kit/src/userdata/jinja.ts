const opener = /\{[{%#]/;

/** Whether Jinja would take something in a text for its own. */
export const looksLikeJinja = (text: string): boolean => opener.test(text);

/** An expression that prints the beginning of one. */
const printed = (text: string): string => `{{ '${text}' }}`;

/** A text that has nothing of Jinja, as a password, written so that Jinja prints it. */
export const printedByJinja = (text: string): string => text.replaceAll(new RegExp(opener, "g"), printed);

const closers: Readonly<Record<string, string>> = { "{{": "}}", "{%": "%}", "{#": "#}" };

/**
 * The text with every `{{`, `{%` and `{#` that does not end in it, as `{#` in the shell's `${#array[@]}`, written so that Jinja prints it:
 * one expression without an end, and cloud-init drops the whole document.
 */
export const closedJinja = (text: string): string => {
  let [closed, rest] = ["", text];
  for (;;) {
    const [found] = opener.exec(rest) ?? [];
    if (found === undefined) return closed + rest;
    const begin = rest.indexOf(found);
    const closer = rest.indexOf(closers[found] ?? "", begin + 2);
    const end = closer < 0 ? begin + 2 : closer + 2;
    closed += rest.slice(0, begin) + (closer < 0 ? printed(found) : rest.slice(begin, end));
    rest = rest.slice(end);
  }
};

/** Every text of a value, closed. */
export const withClosedJinja = (value: unknown): unknown => {
  if (typeof value === "string") return closedJinja(value);
  if (Array.isArray(value)) return value.map(withClosedJinja);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withClosedJinja(member)]));
};
