/** Text, or something to be substituted. */
export type Part = string | Substitution;

/** `${name}` with what is done to the value: `${name:=default}`, `${name^^}`, `${#name}`. */
export interface Substitution {
  readonly name: string;
  /** Empty: the value as it is. */
  readonly operator: string;
  readonly args: readonly Part[];
  /** Where it begins in the text. */
  readonly offset: number;
}

/** Thrown for text that begins like a variable but is not one. */
export class NotAVariable extends Error {
  /** Where it begins in the text. */
  readonly offset: number;
  constructor(offset: number, why: string) {
    super(why);
    this.offset = offset;
  }
}

/** Letters, digits and `_` of any script. */
const identifier = /[\p{L}\p{Nd}_]+/uy;

/**
 * Reads one text as clusterctl does, by the rules of the library that it uses: `$$` stands for `$`, and what begins with `${` has to be a
 * substitution. A default may hold substitutions, other arguments may be one.
 */
class Reader {
  readonly #text: string;
  #at = 0;
  /** Where the outermost substitution begins. */
  #begin = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parts(): readonly Part[] {
    const parts: Part[] = [];
    for (;;) {
      const dollar = this.#text.indexOf("$", this.#at);
      if (dollar === -1) return [...parts, this.#text.slice(this.#at)];
      parts.push(this.#text.slice(this.#at, dollar));
      this.#at = dollar;
      if (this.#opens()) {
        this.#begin = dollar;
        parts.push(this.#substitution());
      } else {
        parts.push("$");
        this.#at += this.#text.startsWith("$$", dollar) ? 2 : 1;
      }
    }
  }

  #opens(): boolean {
    return this.#text.startsWith("${", this.#at);
  }

  #peek(): string {
    return this.#text[this.#at] ?? "";
  }

  #refuse(why: string): NotAVariable {
    return new NotAVariable(this.#begin, why);
  }

  #accept(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }

  #identifier(): string {
    const name = this.#accept(identifier);
    if (name === "") throw this.#refuse("a name is missing");
    return name;
  }

  #close(): void {
    if (this.#peek() !== "}") throw this.#refuse(this.#peek() === "" ? "it is not closed" : "a } is missing");
    this.#at++;
  }

  #substitution(): Substitution {
    const offset = this.#at;
    this.#at += 2;
    if (this.#peek() === "#") {
      this.#at++;
      const name = this.#identifier();
      this.#close();
      return { name, operator: "#", args: [], offset };
    }
    const name = this.#identifier();
    const [operator, args] = this.#operation();
    return { name, operator, args, offset };
  }

  /** Parses what follows the name, up to and including the brace. */
  #operation(): readonly [operator: string, args: readonly Part[]] {
    switch (this.#peek()) {
      case ":":
        return /^:[-=?+]/.test(this.#text.slice(this.#at, this.#at + 2)) ? this.#default() : this.#slice();
      case "=":
        return this.#default();
      case ",":
      case "^":
        return this.#closed(this.#accept(/[,^]{1,2}/y), []);
      case "/":
        return this.#replacement();
      case "#":
        return this.#removal(/#{1,2}/y);
      case "%":
        return this.#removal(/%{1,2}/y);
      default:
        return this.#closed("", []);
    }
  }

  #closed(operator: string, args: readonly Part[]): readonly [string, readonly Part[]] {
    this.#close();
    return [operator, args];
  }

  /** `:=default`; the first brace that no substitution in it needs ends it. */
  #default(): readonly [string, readonly Part[]] {
    const operator = this.#accept(/=|:[-=?+]/y);
    const args: Part[] = [];
    while (this.#peek() !== "}") args.push(this.#argument((character) => character === "}"));
    return this.#closed(operator, args);
  }

  /** `:position` and `:position:length`. */
  #slice(): readonly [string, readonly Part[]] {
    this.#at++;
    const position = this.#argument((character) => character === ":" || character === "}");
    if (this.#peek() === "}") return this.#closed(":", [position]);
    if (this.#accept(/:+/y) === "") throw this.#refuse("a : or a } is missing");
    return this.#closed(":", [position, this.#argument((character) => character === "}")]);
  }

  /** `/pattern/text`, where a backslash goes before a slash or backslash that is meant. */
  #replacement(): readonly [string, readonly Part[]] {
    const operator = this.#accept(/\/[/#%]?/y);
    const pattern = this.#argument((character) => character === "/", "$\\");
    if (this.#accept(/\/+/y) === "") throw this.#refuse("a / is missing after the pattern");
    if (this.#peek() === "}") return this.#closed(operator, [pattern]);
    return this.#closed(operator, [pattern, this.#argument((character) => character === "}", "$\\")]);
  }

  #removal(operators: RegExp): readonly [string, readonly Part[]] {
    const operator = this.#accept(operators);
    return this.#closed(operator, [this.#argument((character) => character === "}")]);
  }

  #argument(ends: (character: string) => boolean, escapes = ""): Part {
    if (this.#opens()) return this.#substitution();
    const character = this.#peek();
    if (character === "") throw this.#refuse("it is not closed");
    if (ends(character)) throw this.#refuse("an argument is missing");
    return this.#run(ends, escapes);
  }

  /** Text up to a substitution or what ends it. `escapes`: whether `$$` is one dollar, and a backslash hides a slash. */
  #run(ends: (character: string) => boolean, escapes: string): string {
    let text = "";
    for (;;) {
      const character = this.#peek();
      if (character === "" || this.#opens()) return text;
      const next = this.#text[this.#at + 1] ?? "";
      const isEscape =
        escapes.includes(character) && (character === "$" ? next === "$" : next === "/" || next === "\\");
      if (!isEscape && ends(character)) return text;
      text += isEscape ? next : character;
      this.#at += isEscape ? 2 : 1;
    }
  }
}

/** Takes a text apart. Throws `NotAVariable`. */
export const partsOf = (text: string): readonly Part[] => new Reader(text).parts();

/** Blanks around a name alone, as `${ NAME }`, are from before clusterctl used that library. */
const spaced = /\$\{(?:[\t\n\f\r ]+[A-Za-z0-9_$]+[\t\n\f\r ]*|[A-Za-z0-9_$]+[\t\n\f\r ]+)\}/g;

/** The text without blanks around names. */
export const withoutBlanks = (text: string): string =>
  text.replaceAll(spaced, (found) => found.replaceAll(/[\t\n\f\r ]/g, ""));
