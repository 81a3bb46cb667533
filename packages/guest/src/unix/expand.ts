import { arithmetic } from "./arithmetic.ts";
import { longestOutput } from "./effort.ts";
import { literalPattern, replaced, trimmed } from "./pattern.ts";
import { fieldsOf, type Piece } from "./fields.ts";
import { Fatal, type Session } from "./session.ts";
import type { Part, Word } from "./syntax.ts";

/** Runs a command for what it prints. */
export type Substitute = (script: string, session: Session) => Promise<string>;

type Parameter = Extract<Part, { kind: "parameter" }>;

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
    return (await this.#pieces(word)).map(({ texts }) => texts.join(" ")).join("");
  }

  /** As a pattern: what is quoted stands for itself. */
  async pattern(word: Word): Promise<string> {
    return (await this.#pieces(word))
      .map(({ texts, quoted }) => (quoted ? literalPattern(texts.join(" ")) : texts.join(" ")))
      .join("");
  }

  async #pieces(word: Word): Promise<readonly Piece[]> {
    const pieces: Piece[] = [];
    const check = (): void => {
      const length = pieces.reduce((sum, { texts }) => sum + texts.reduce((more, text) => more + text.length, 0), 0);
      if (length > longestOutput) throw new Fatal(`a word of more than ${longestOutput} characters`, 1);
    };
    for (const [index, part] of word.entries()) {
      const isFirst = index === 0;
      if (part.kind === "text") {
        pieces.push({
          texts: [isFirst && !part.quoted ? home(part.text, this.#session) : part.text],
          quoted: part.quoted,
          literal: true,
        });
      } else if (part.kind === "parameter") pieces.push(...(await this.#parameter(part)));
      else if (part.kind === "command") {
        const text = (await this.#substitute(part.script, this.#session)).replace(/(?<!\n)\n+$/, "");
        pieces.push({ texts: [text], quoted: part.quoted, literal: false });
      } else pieces.push({ texts: [String(await this.calculate(part.text))], quoted: part.quoted, literal: false });
    }
    check();
    return pieces;
  }

  /** The worth of an arithmetic expression, with its `$` names replaced. */
  async calculate(text: string): Promise<number> {
    const { variables } = this.#session;
    const plain = text.replace(/\$\{?(\w+)\}?/g, (_, name: string) => this.#values(name).join(" ") || "0");
    return arithmetic(plain, {
      get: (name) => this.#values(name).join(" "),
      set: (name, value) => void variables.set(name, value),
    });
  }

  #values(name: string, index?: string): readonly string[] {
    const { args, name: own, options, status, variables } = this.#session;
    if (name === "@" || name === "*") return args;
    if (name === "#") return [String(args.length)];
    if (name === "?") return [String(status)];
    if (name === "$") return ["1234"];
    if (name === "!") return ["1235"];
    if (name === "-") return [[...options].join("")];
    if (name === "0") return [own];
    if (/^\d+$/.test(name)) return args.slice(Number(name) - 1, Number(name));
    const value = variables.get(name);
    if (value === undefined) return [];
    if (typeof value === "string") {
      return index === undefined || index === "@" || index === "*" || index === "0" ? [value] : [];
    }
    if (index === "@" || index === "*") return value;
    return value.slice(Number(index ?? 0), Number(index ?? 0) + 1);
  }

  async #parameter(part: Parameter): Promise<readonly Piece[]> {
    const { index, isLength = false, name, quoted } = part;
    const isList = name === "@" || index === "@" || (!quoted && (name === "*" || index === "*"));
    const values = this.#values(name, index);
    if (isLength) {
      const isCount = index === "@" || index === "*" || name === "@" || name === "*";
      return [{ texts: [String(isCount ? values.length : values.join(" ").length)], quoted, literal: false }];
    }
    if (part.operator !== undefined) return this.#operated(part, values);
    if (values.length === 0 && !isList && this.#session.options.has("u") && !"@*#?$!-".includes(name)) {
      throw new Fatal(
        this.#session.dialect === "bash" ? `${name}: unbound variable` : `${name}: parameter not set`,
        this.#session.dialect === "bash" ? 1 : 2,
      );
    }
    if (isList) return [{ texts: values, quoted, literal: false, isList: true }];
    return [{ texts: [values.join(" ")], quoted, literal: false }];
  }

  async #operated(part: Parameter, values: readonly string[]): Promise<readonly Piece[]> {
    const { name, operator = "", word = [], quoted } = part;
    const isUnset = values.length === 0 || (operator.startsWith(":") && values.join("") === "");
    const value = values.join(" ");
    const one = (text: string): readonly Piece[] => [{ texts: [text], quoted, literal: false }];
    switch (operator.replace(/^:(?=.)/, "")) {
      case "-":
        return isUnset ? this.#inner(word, quoted) : one(value);
      case "=": {
        if (!isUnset) return one(value);
        const text = await this.text(word);
        this.#session.variables.set(name, text);
        return one(text);
      }
      case "+":
        return isUnset ? one("") : this.#inner(word, quoted);
      case "?":
        if (isUnset) throw new Fatal(`${name}: ${(await this.text(word)) || "parameter null or not set"}`);
        return one(value);
      case "#":
      case "##":
        return one(trimmed(value, await this.pattern(word), { end: false, most: operator === "##" }));
      case "%":
      case "%%":
        return one(trimmed(value, await this.pattern(word), { end: true, most: operator === "%%" }));
      default:
        return one(await this.#changed(value, operator, word));
    }
  }

  /** The word after `-` or `+`: its own quotes count. */
  async #inner(word: Word, quoted: boolean): Promise<readonly Piece[]> {
    const pieces = await this.#pieces(word);
    if (quoted && pieces.length === 0) return [{ texts: [""], quoted, literal: false }];
    return quoted
      ? pieces.map((piece) => ({ ...piece, quoted }))
      : pieces.map((piece) => ({ ...piece, literal: false }));
  }

  /** What bash has beyond the standard. */
  async #changed(value: string, operator: string, word: Word): Promise<string> {
    if (this.#session.dialect === "dash") throw new Fatal("Bad substitution");
    if (operator === "^^") return value.toUpperCase();
    if (operator === ",,") return value.toLowerCase();
    if (operator === "^") return value.charAt(0).toUpperCase() + value.slice(1);
    if (operator === ",") return value.charAt(0).toLowerCase() + value.slice(1);
    if (operator === ":") {
      const [start = "0", length] = (await this.text(word)).split(":");
      const from = await this.calculate(start);
      const begin = from < 0 ? value.length + from : from;
      return length === undefined ? value.slice(begin) : value.slice(begin, begin + (await this.calculate(length)));
    }
    const pattern = await this.pattern(word);
    const slash = /(?<!\\)\//.exec(pattern)?.index ?? pattern.length;
    return replaced(
      value,
      pattern.slice(0, slash),
      pattern.slice(slash + 1).replace(/\\(.)/g, "$1"),
      operator === "//",
    );
  }
}

const home = (text: string, session: Session): string =>
  /^~(?=\/|$)/.test(text) ? `${String(session.variables.get("HOME") ?? "/root")}${text.slice(1)}` : text;

/** Most words that one becomes. */
const mostBraces = 1000;

/** `{a,b}` and `{1..3}` of a word, each written out. */
const braces = (word: Word): readonly Word[] => {
  let words: readonly Word[] = [word];
  for (;;) {
    const next = words.flatMap((each) => writtenOut(each));
    if (next.length === words.length || next.length > mostBraces) return words;
    words = next;
  }
};

const writtenOut = (word: Word): readonly Word[] => {
  for (const [index, part] of word.entries()) {
    if (part.kind !== "text" || part.quoted) continue;
    const found = /\{([^{}]*,[^{}]*|(\d{1,4})\.\.(\d{1,4}))\}/.exec(part.text);
    if (found === null) continue;
    const [whole = "", list = "", from, to] = found;
    const numbers = Array.from({ length: Math.max(0, Number(to) - Number(from) + 1) }, (_, step) =>
      String(Number(from) + step),
    );
    const choices = from === undefined ? list.split(",") : numbers;
    return choices.map((choice) => {
      const text = part.text.slice(0, found.index) + choice + part.text.slice(found.index + whole.length);
      return [...word.slice(0, index), { ...part, text }, ...word.slice(index + 1)];
    });
  }
  return [word];
};
