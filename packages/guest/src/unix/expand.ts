import { braces } from "./braces.ts";
import { longestOutput } from "./effort.ts";
import { calculated, keysFor, setValue, valuesOf } from "./parameters.ts";
import { literalPattern, trimmed } from "./pattern.ts";
import { changed } from "./parameter-changes.ts";
import { fieldsOf, type Piece } from "./fields.ts";
import { Fatal, type Session } from "./session.ts";
import type { Part, Word } from "./syntax.ts";

/** Runs a command for what it prints. */
export type Substitute = (script: string, session: Session) => Promise<string>;

type Parameter = Extract<Part, { kind: "parameter" }>;

const isList = (name: string, index: string | undefined): boolean => ["@", "*"].includes(index ?? name);

/** Expands the words of one shell. */
export class Expander {
  readonly #session: Session;
  readonly #substitute: Substitute;

  constructor(session: Session, substitute: Substitute) {
    this.#session = session;
    this.#substitute = substitute;
  }

  /** Words as a command has them: split, with file names in the place of patterns. */
  async fields(words: readonly Word[]): Promise<string[]> {
    const found: string[] = [];
    for (const word of words) {
      for (const each of this.#session.dialect === "bash" ? braces(word) : [word]) {
        found.push(...fieldsOf(await this.#pieces(each), this.#session));
      }
    }
    return found;
  }

  /** One text, unsplit. */
  async text(word: Word): Promise<string> {
    return (await this.#pieces(word)).map(({ texts, by = " " }) => texts.join(by)).join("");
  }

  /** As a pattern: what is quoted stands for itself. */
  async pattern(word: Word): Promise<string> {
    return (await this.#pieces(word))
      .map(({ texts, quoted }) => (quoted ? literalPattern(texts.join(" ")) : texts.join(" ")))
      .join("");
  }

  /** The value of an arithmetic expression. */
  async calculate(word: Word): Promise<number> {
    return calculated(await this.text(word), this.#session);
  }

  async #pieces(word: Word): Promise<readonly Piece[]> {
    const pieces: Piece[] = [];
    for (const [index, part] of word.entries()) pieces.push(...(await this.#part(part, index === 0)));
    const length = pieces.reduce((sum, { texts }) => sum + texts.reduce((more, text) => more + text.length, 0), 0);
    if (length > longestOutput) throw new Fatal(`a word of more than ${longestOutput} characters`, 1);
    return pieces;
  }

  async #part(part: Part, isFirst: boolean): Promise<readonly Piece[]> {
    const session = this.#session;
    const { quoted } = part;
    const one = (text: string): readonly Piece[] => [{ texts: [text], quoted, literal: false }];
    switch (part.kind) {
      case "text":
        return [{ texts: [isFirst && !quoted ? home(part.text, session) : part.text], quoted, literal: true }];
      case "parameter":
        return this.#parameter(part);
      case "command":
        return one((await this.#substitute(part.script, session)).replace(/(?<!\n)\n+$/, ""));
      case "process":
        return one(await this.#process(part));
      default:
        return one(String(await this.calculate(part.text)));
    }
  }

  /** The file that stands for a command which is written or read. */
  async #process({ isRead, script }: Extract<Part, { kind: "process" }>): Promise<string> {
    const { disk, processes } = this.#session;
    const path = `/dev/fd/${63 - processes.size}`;
    disk.write(path, isRead ? await this.#substitute(script, this.#session) : "");
    processes.set(path, isRead ? "" : script);
    return path;
  }

  async #parameter(part: Parameter): Promise<readonly Piece[]> {
    const session = this.#session;
    const { isIndirect = false, isLength = false, quoted } = part;
    const index = part.index === undefined ? undefined : await this.text(part.index);
    const name = isIndirect && !isList("", index) ? (valuesOf(part.name, index, session)[0] ?? "") : part.name;
    const key = isIndirect && !isList("", index) ? undefined : index;
    const values = isIndirect && isList("", index) ? keysFor(name, session) : valuesOf(name, key, session);
    if (isLength) {
      const count = isList(part.name, index) ? values.length : Array.from(values.join("")).length;
      return [{ texts: [String(count)], quoted, literal: false }];
    }
    const isMany = isList(name, key) || (isIndirect && isList("", index));
    if (part.operator !== undefined) return this.#operated(part, { name, index: key, values, isMany });
    if (values.length === 0 && !isMany && session.options.has("u") && !"#?$-".includes(name)) this.#unbound(name, key);
    return [this.#joined(values, isMany ? (index ?? name) : "", quoted)];
  }

  #unbound(name: string, key: string | undefined): never {
    const isBash = this.#session.dialect === "bash";
    const shown = `${isBash && /^\d/.test(name) ? "$" : ""}${name}${key === undefined ? "" : `[${key}]`}`;
    throw new Fatal(`${shown}: ${isBash ? "unbound variable" : "parameter not set"}`, isBash ? 1 : 2);
  }

  /** A list as it stands in a word: by `*` in quotes it is one text. */
  #joined(texts: readonly string[], sign: string, quoted: boolean): Piece {
    if (sign === "@" || (sign === "*" && !quoted)) return { texts, quoted, literal: false, isList: true };
    const [by = ""] = valuesOf("IFS", undefined, this.#session);
    return { texts: [texts.join(sign === "*" ? by.charAt(0) : " ")], quoted, literal: false };
  }

  async #operated(
    part: Parameter,
    place: {
      readonly name: string;
      readonly index: string | undefined;
      readonly values: readonly string[];
      readonly isMany: boolean;
    },
  ): Promise<readonly Piece[]> {
    const { index, isMany, name, values } = place;
    const { operator = "", word = [], quoted } = part;
    const isUnset = values.length === 0 || (operator.startsWith(":") && values.join("") === "");
    const same = (texts: readonly string[]): readonly Piece[] => [
      this.#joined(texts, isMany ? (index ?? name) : "", quoted),
    ];
    switch (operator.replace(/^:(?=.)/, "")) {
      case "-":
        return isUnset ? this.#inner(word, quoted) : same(values);
      case "=":
        if (!isUnset) return same(values);
        setValue(name, index, await this.text(word), this.#session);
        return same(valuesOf(name, index, this.#session));
      case "+":
        return isUnset ? same(isMany ? [] : [""]) : this.#inner(word, quoted);
      case "?":
        if (isUnset) {
          const said = (await this.text(word)) || `parameter ${operator === "?" ? "not set" : "null or not set"}`;
          throw new Fatal(`${name}: ${said}`, this.#session.dialect === "bash" ? 1 : 2);
        }
        return same(values);
      default:
        if (values.length === 0 && !isMany && this.#session.options.has("u")) this.#unbound(name, index);
        return same(await this.#changed(values, operator, word, isMany));
    }
  }

  /** Each text of a list as an operator changes it. */
  async #changed(values: readonly string[], operator: string, word: Word, isMany: boolean): Promise<readonly string[]> {
    if (operator === "#" || operator === "##" || operator === "%" || operator === "%%") {
      const pattern = await this.pattern(word);
      const place = { end: operator.startsWith("%"), most: operator.length > 1 };
      return values.map((value) => trimmed(value, pattern, place));
    }
    if (this.#session.dialect === "dash") throw new Fatal("Bad substitution");
    if (operator !== ":") return changed(values, operator, await this.#patternParts(word));
    const [start = "0", length] = (await this.text(word)).split(":");
    const items = isMany ? values : Array.from(values.join(""));
    const from = calculated(start, this.#session);
    const begin = from < 0 ? Math.max(items.length + from, 0) : from;
    const count = length === undefined ? items.length : calculated(length, this.#session);
    const slice = items.slice(begin, count < 0 ? count : begin + count);
    return isMany ? slice : [slice.join("")];
  }

  /** A pattern, and after a slash what replaces it. */
  async #patternParts(word: Word): Promise<{ readonly pattern: string; readonly by: string }> {
    const at = word.findIndex((part, index) => part.kind === "text" && !part.quoted && slashIn(part.text, index) >= 0);
    if (at < 0) return { pattern: await this.pattern(word), by: "" };
    const { text } = word[at] as Extract<Part, { kind: "text" }>;
    const slash = slashIn(text, at);
    const piece = (part: string): Word => [{ kind: "text", text: part, quoted: false }];
    return {
      pattern: await this.pattern([...word.slice(0, at), ...piece(text.slice(0, slash))]),
      by: await this.text([...piece(text.slice(slash + 1)), ...word.slice(at + 1)]),
    };
  }

  /** The word after `-` or `+`: its own quotes count. */
  async #inner(word: Word, quoted: boolean): Promise<readonly Piece[]> {
    const pieces = await this.#pieces(word);
    if (quoted && pieces.length === 0) return [{ texts: [""], quoted, literal: false }];
    return quoted
      ? pieces.map((piece) => ({ ...piece, quoted }))
      : pieces.map((piece) => ({ ...piece, literal: false }));
  }
}

/** Where the replacement begins; a slash at the very beginning is part of the pattern. */
const slashIn = (text: string, index: number): number => text.indexOf("/", index === 0 && text.startsWith("/") ? 1 : 0);

const home = (text: string, session: Session): string => {
  if (text.startsWith("~root")) return text.replace(/^~root(?=\/|$)/, "/root");
  return /^~(?=\/|$)/.test(text) ? `${valuesOf("HOME", undefined, session)[0] ?? "/root"}${text.slice(1)}` : text;
};
