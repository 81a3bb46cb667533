import { setImmediate as nextTurn } from "node:timers/promises";
import { endOfString } from "./json-strings.ts";
import { parseJson } from "./json-text.ts";
import { type MutableJson, setMember } from "./mutable-json.ts";

/** Characters of the longest text that is parsed at once: some milliseconds. */
export const shortJson = 2 ** 16;

/** Maximum nesting; anything deeper is not parsed. */
const deepest = 1_000;

const [quote, comma] = [0x22, 0x2c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** A list or an object that is open where the text is read. */
interface Level {
  readonly isList: boolean;
  /** Where its bracket stands. */
  readonly open: number;
  /** Where the members begin that are not parsed yet. */
  from: number;
  /** Where the member begins in which the text is read. */
  member: number;
  /** Value parsed so far; `undefined` while it may still be parsed whole with its surroundings. */
  value: MutableJson | unknown[] | undefined;
  /** The name of the member that is a level of its own. */
  name: string;
  /** Where such a member has ended. */
  ended: number;
}

const wrong = (text: string, at: number): SyntaxError =>
  at >= text.length
    ? new SyntaxError("Unexpected end of JSON input")
    : new SyntaxError(`Unexpected token ${JSON.stringify(text[at])} in JSON at position ${at}`);

const isBlank = (text: string, from: number, to: number): boolean => /^[ \t\r\n]*$/.test(text.slice(from, to));

/** Reads a text from its beginning to its end, and parses a portion whenever enough has come together. */
class PortionedText {
  readonly #text: string;
  readonly #levels: Level[] = [];
  #index = 0;
  /** Where the text begins that is not parsed yet. */
  #start = 0;

  readonly #parse: (text: string) => unknown;

  constructor(text: string, parse: (text: string) => unknown) {
    this.#text = text;
    this.#parse = parse;
  }

  /** Goes on until a portion is parsed; answers the value once the text has ended. */
  next(portion: number): { readonly value: unknown } | undefined {
    const text = this.#text;
    while (this.#index < text.length) {
      const at = this.#index;
      const code = text.charCodeAt(at);
      if (code === quote) {
        this.#index = endOfString(text, at);
        continue;
      }
      this.#index++;
      if (code === openBrace || code === openBracket) this.#open(at, code === openBracket);
      else if (code === comma) {
        if (this.#comma(at, portion)) return undefined;
      } else if (code === closeBrace || code === closeBracket) {
        const ended = this.#close(at, code === closeBracket);
        if (ended !== undefined) return ended;
      }
    }
    throw wrong(text, text.length);
  }

  #open(at: number, isList: boolean): void {
    if (this.#levels.length > deepest) throw new SyntaxError(`it is nested more than ${deepest} levels deep`);
    const member = at + 1;
    this.#levels.push({ isList, open: at, from: member, member, value: undefined, name: "", ended: -1 });
  }

  /** Returns whether a portion was parsed. */
  #comma(at: number, portion: number): boolean {
    const level = this.#levels.at(-1);
    if (level === undefined) throw wrong(this.#text, at);
    const isLong = at - this.#start >= portion;
    if (isLong) {
      for (const [index, outer] of this.#levels.entries()) this.#begin(outer, this.#levels[index + 1]);
    }
    if (level.value !== undefined && (isLong || level.ended >= 0)) {
      this.#parseUpTo(level, at);
      level.from = at + 1;
      this.#start = at + 1;
    }
    level.member = at + 1;
    return isLong;
  }

  /** Makes a value of its own of a level, in which `inner` is open. */
  #begin(level: Level, inner: Level | undefined): void {
    level.value ??= level.isList ? [] : {};
    if (inner === undefined || inner.value !== undefined) return;
    const before = this.#text.slice(level.from, level.member);
    // What stands before the member ends with a comma.
    if (!isBlank(before, 0, before.length)) this.#add(level, before.slice(0, -1));
    level.name = this.#nameBefore(level, inner.open);
  }

  #nameBefore({ isList, member }: Level, open: number): string {
    const written = this.#text.slice(member, open);
    if (isList) {
      if (!isBlank(written, 0, written.length)) throw wrong(this.#text, open);
      return "";
    }
    const [name] = Object.keys(this.#parse(`{${written}null}`) as object);
    if (name === undefined) throw wrong(this.#text, open);
    return name;
  }

  /** Parses what a level has up to here, but what was parsed before. */
  #parseUpTo(level: Level, to: number): void {
    if (level.ended < 0) {
      this.#add(level, this.#text.slice(level.from, to));
    } else if (!isBlank(this.#text, level.ended, to)) {
      throw wrong(this.#text, level.ended);
    }
    level.ended = -1;
  }

  #add({ isList, value }: Level, written: string): void {
    if (isBlank(written, 0, written.length)) throw new SyntaxError("Unexpected end of a list of members in JSON");
    if (isList) {
      for (const item of this.#parse(`[${written}]`) as readonly unknown[]) (value as unknown[]).push(item);
      return;
    }
    const members = this.#parse(`{${written}}`) as MutableJson;
    for (const name of Object.keys(members)) setMember(value as MutableJson, name, members[name]);
  }

  /** The whole value when it ends here. */
  #close(at: number, isList: boolean): { readonly value: unknown } | undefined {
    const level = this.#levels.pop();
    if (level?.isList !== isList) throw wrong(this.#text, at);
    const outer = this.#levels.at(-1);
    if (level.value === undefined) return outer === undefined ? this.#end(level.open, at) : undefined;
    this.#parseUpTo(level, at);
    if (outer === undefined) return this.#end(level.open, at, level.value);
    if (outer.isList) (outer.value as unknown[]).push(level.value);
    else setMember(outer.value as MutableJson, outer.name, level.value);
    outer.ended = at + 1;
    this.#start = at + 1;
    return undefined;
  }

  #end(open: number, at: number, value?: unknown): { readonly value: unknown } {
    const text = this.#text;
    if (!isBlank(text, 0, open) || !isBlank(text, at + 1, text.length)) throw wrong(text, at + 1);
    return { value: value ?? this.#parse(text) };
  }
}

/**
 * Parses JSON text as `parseJson` does; while a long one is parsed, others are served. Throws a `SyntaxError`. `portion`: characters that
 * are parsed at once. `parse`: parses a portion instead of `parseJson`.
 */
export const parseInTurns = async (
  text: string,
  portion = shortJson,
  parse: (text: string) => unknown = parseJson,
): Promise<unknown> => {
  if (text.length <= portion || !/^[ \t\r\n]*[[{]/.test(text)) return parse(text);
  const reader = new PortionedText(text, parse);
  for (;;) {
    const ended = reader.next(portion);
    if (ended !== undefined) return ended.value;
    await nextTurn();
  }
};
