import { RE2JS } from "re2js";

/** The regular expressions of one program, each compiled once. */
export class Patterns {
  readonly #compiled = new Map<string, RE2JS>();

  of(source: string): RE2JS {
    const known = this.#compiled.get(source);
    if (known !== undefined) return known;
    const compiled = RE2JS.compile(source.replaceAll("\\/", "/").replaceAll('\\"', '"'));
    this.#compiled.set(source, compiled);
    return compiled;
  }

  /** The fields of a text. A separator of one space stands for any blanks, an empty one separates characters. */
  pieces(text: string, by: string): string[] {
    if (by === " ") return text.trim() === "" ? [] : text.trim().split(/[ \t\n]+/);
    if (text === "") return [];
    if (by.length === 1 && by !== "\\") return text.split(by);
    return by === "" ? Array.from(text) : this.of(by).split(text, -1);
  }
}

/** The records of a text. An empty separator stands for empty lines. */
export const recordsIn = (text: string, by: string): readonly string[] => {
  const records = by === "" ? text.replace(/^\n+|\n+$/g, "").split(/\n{2,}/) : text.split(by);
  if (records.at(-1) === "") records.pop();
  return records;
};
