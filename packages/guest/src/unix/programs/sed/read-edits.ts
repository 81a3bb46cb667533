import { unescaped } from "../../escapes.ts";
import { compile } from "../expressions.ts";
import type { Address, Edit } from "./edits.ts";

const plain = "dpP=nNhHgGx{}";

/** Reads the commands of sed from left to right. */
class EditReader {
  readonly #script: string;
  readonly #isExtended: boolean;
  #at = 0;

  constructor(script: string, isExtended: boolean) {
    this.#script = script;
    this.#isExtended = isExtended;
  }

  all(): readonly Edit[] {
    const edits: Edit[] = [];
    for (;;) {
      this.#skip(/(?:[\s;]|#.*)*/y);
      if (this.#at >= this.#script.length) return edits;
      edits.push(this.#edit());
    }
  }

  #skip(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [text = ""] = pattern.exec(this.#script) ?? [];
    this.#at += text.length;
    return text;
  }

  #wrong(what: string): Error {
    return new Error(`-e expression #1, char ${this.#at}: ${what}`);
  }

  #edit(): Edit {
    const from = this.#address();
    this.#skip(/\s*/y);
    const to = this.#skip(/,\s*/y) === "" ? undefined : this.#address(true);
    const isNegated = this.#skip(/\s*!/y) !== "";
    this.#skip(/\s*/y);
    const verb = this.#skip(/./y);
    return { ...(from && { from }), ...(to && { to }), isNegated, verb, text: "", flags: "", ...this.#rest(verb) };
  }

  #rest(verb: string): Partial<Edit> {
    if (verb === "s") {
      const separator = this.#skip(/./y);
      const pattern = this.#until(separator, true);
      const text = this.#until(separator, false);
      const flags = this.#skip(/[gpiImM0-9]*/y);
      const compiled = compile(pattern, { isExtended: this.#isExtended, ignoresCase: /i/i.test(flags) });
      return { pattern: compiled, text, flags };
    }
    if (verb === "y") {
      const separator = this.#skip(/./y);
      const [text, by] = [unescaped(this.#until(separator, false)), unescaped(this.#until(separator, false))];
      if (text.length !== by.length) throw this.#wrong("strings for `y' command are different lengths");
      return { text, by };
    }
    if (verb === "a" || verb === "i" || verb === "c") return { text: this.#addition() };
    if (verb === ":" || verb === "b" || verb === "t" || verb === "T") {
      return { text: this.#skip(verb === ":" ? /[^\n;]*/y : /[^\n;}]*/y).trim() };
    }
    if (verb === "q" || verb === "Q") return { text: this.#skip(/\s*\d*/y).trim() };
    if (verb === "") throw this.#wrong("missing command");
    if (!plain.includes(verb)) throw this.#wrong(`unknown command: \`${verb}'`);
    return {};
  }

  /** The lines that `a`, `i` and `c` add: to the end of the line, and further where that is a backslash. */
  #addition(): string {
    this.#skip(/[ \t]*(?:\\\n?)?/y);
    const text = this.#skip(/(?:\\[^]|[^\\\n])*/y);
    return unescaped(text.replaceAll("\\\n", "\n"));
  }

  #until(separator: string, isPattern: boolean): string {
    let text = "";
    for (;;) {
      // In brackets the separator stands for itself.
      if (isPattern) text += this.#skip(/\[\^?\]?(?:\[:\w+:\]|[^\]\n])*\]/y);
      const character = this.#script.charAt(this.#at);
      if (character === "") throw this.#wrong("unterminated `s' command");
      this.#at += 1;
      if (character === separator) return text;
      if (character !== "\\") {
        text += character;
        continue;
      }
      const next = this.#script.charAt(this.#at);
      this.#at += 1;
      if (next === separator && separator !== "|") text += isPattern && /[.*[\]^$]/.test(next) ? `\\${next}` : next;
      else text += next === separator ? next : `\\${next}`;
    }
  }

  #address(isEnd = false): Address | undefined {
    const later = isEnd ? this.#skip(/\+\d+/y) : "";
    if (later !== "") return { later: Number(later.slice(1)) };
    const digits = this.#skip(/\d+/y);
    if (digits !== "") return { line: Number(digits) };
    if (this.#skip(/\$/y) !== "") return { last: true };
    const other = this.#skip(/\\./y);
    const separator = other === "" ? this.#skip(/\//y) : other.charAt(1);
    if (separator === "") return undefined;
    const text = this.#until(separator, true);
    return { pattern: compile(text, { isExtended: this.#isExtended, ignoresCase: this.#skip(/I/y) !== "" }) };
  }
}

/** The commands of a script. Throws what sed says of one that is none. */
export const readEdits = (script: string, isExtended: boolean): readonly Edit[] =>
  new EditReader(script, isExtended).all();
