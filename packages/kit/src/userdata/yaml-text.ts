import { inlineText, jinjaTextValue, numberValue, textValue } from "./yaml-scalar.ts";

export interface YamlOptions {
  /** Keys in alphabetical order (default), or as they come. */
  readonly sortKeys?: boolean;
  /** Jinja renders the document before it is read, and can read every text. */
  readonly jinja?: boolean;
}

type Entries = readonly (readonly [string, unknown])[];

const entriesOf = (value: object, { sortKeys = true }: YamlOptions): Entries => {
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return sortKeys ? entries.toSorted(([left], [right]) => (left < right ? -1 : 1)) : entries;
};

/** The lines of a value that stands on lines of its own, not yet indented, or the text that fits behind a key. */
const render = (
  value: unknown,
  indent: string,
  options: YamlOptions,
): { readonly inline: boolean; readonly text: string } => {
  if (Array.isArray(value)) {
    if (value.length === 0) return { inline: true, text: "[]" };
    const items = value.map((item: unknown) => {
      const { text } = render(item ?? null, `${indent}  `, options);
      return `${indent}- ${text.slice(text.startsWith(`${indent}  `) ? indent.length + 2 : 0)}`;
    });
    return { inline: false, text: items.join("\n") };
  }
  if (typeof value === "object" && value !== null) {
    const entries = entriesOf(value, options);
    if (entries.length === 0) return { inline: true, text: "{}" };
    return { inline: false, text: entries.map((entry) => `${indent}${member(entry, indent, options)}`).join("\n") };
  }
  return { inline: true, text: scalar(value, indent, options) };
};

/** `key: value`; a list is not indented below its key, a map is. */
const member = ([key, value]: readonly [string, unknown], indent: string, options: YamlOptions): string => {
  const name = inlineText(key);
  const inner = Array.isArray(value) ? indent : `${indent}  `;
  const { inline, text } = render(value, inner, options);
  return inline ? `${name}: ${text}` : `${name}:\n${text}`;
};

const scalar = (value: unknown, indent: string, { jinja = false }: YamlOptions): string => {
  const write = jinja ? jinjaTextValue : textValue;
  if (typeof value === "string") return write(value, indent === "" ? "  " : indent);
  if (typeof value === "number" && Number.isFinite(value)) return numberValue(value);
  if (typeof value === "boolean" || value === null) return String(value);
  throw new TypeError(`a YAML document cannot hold a ${typeof value}`);
};

/**
 * A YAML document of plain JSON, ending in a line feed: keys sorted unless `sortKeys` is false, lists not indented below their key, texts of
 * several lines as literal blocks, every scalar quoted that a YAML 1.1 or 1.2 reader could take for something else. Members that are
 * `undefined` are left out. Never folds lines.
 */
export const yamlText = (value: unknown, options: YamlOptions = {}): string => `${render(value, "", options).text}\n`;
