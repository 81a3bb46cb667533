import { readRedirect } from "./read-redirect.ts";
import { Reader, type ReaderOptions } from "./reader.ts";
import type {
  ArrayElement,
  Assignment,
  CaseArm,
  Command,
  CommandShape,
  Pipeline,
  Redirect,
  Statement,
  Word,
} from "./syntax.ts";

const reserved = new Set([
  "if",
  "then",
  "elif",
  "else",
  "fi",
  "while",
  "until",
  "do",
  "done",
  "for",
  "case",
  "esac",
  "{",
  "}",
  "function",
]);

/** Builtins of bash whose arguments are assignments. */
const declarations = new Set(["declare", "typeset", "local", "export", "readonly"]);

const literal = (word: Word | undefined): string =>
  word?.map((part) => (part.kind === "text" ? part.text : "")).join("") ?? "";

/** Parses a script statement by statement, as a shell reads it: what is wrong shows when it is reached. */
export class Parser {
  readonly #reader: Reader;

  constructor(script: string, options: ReaderOptions) {
    this.#reader = new Reader(script, options);
  }

  get line(): number {
    return this.#reader.line;
  }

  /** The statements of the next line, with the here-documents after it; `undefined` at the end. Throws `ShellSyntaxError`. */
  next(): readonly Statement[] | undefined {
    this.#skipLines();
    if (this.#reader.isOver) return undefined;
    const found: Statement[] = [];
    do {
      found.push(this.#statement());
      this.#reader.skipBlanks();
    } while (!this.#reader.takeNewline() && !this.#reader.isOver);
    return found;
  }

  #skipLines(): void {
    do this.#reader.skipBlanks();
    while (
      this.#reader.takeNewline() ||
      (this.#reader.peek() === ";" && !/^;[;&]/.test(this.#reader.peek(2)) && this.#reader.take(";"))
    );
  }

  /** Statements up to one of the words, which is left. */
  #statements(...until: readonly string[]): readonly Statement[] {
    const found: Statement[] = [];
    for (;;) {
      this.#skipLines();
      if (until.includes(this.#keyword()) || (until.includes(")") && this.#reader.peek() === ")")) return found;
      if (until.includes(";;") && /^;[;&]/.test(this.#reader.peek(2))) return found;
      if (this.#reader.isOver) {
        throw this.#reader.unexpected(until[0]);
      }
      found.push(this.#statement());
    }
  }

  #statement(): Statement {
    const first = this.#pipeline();
    const rest: { operator: "&&" | "||"; pipeline: Pipeline }[] = [];
    for (;;) {
      this.#reader.skipBlanks();
      const operator = this.#reader.take("&&") ? "&&" : this.#reader.take("||") ? "||" : undefined;
      if (operator === undefined) break;
      this.#skipNewlines();
      rest.push({ operator, pipeline: this.#pipeline() });
    }
    const isEnd = /^;[;&]/.test(this.#reader.peek(2));
    const isBackground = !isEnd && !this.#reader.take(";") && this.#reader.take("&");
    return { first, rest, isBackground };
  }

  #skipNewlines(): void {
    do this.#reader.skipBlanks();
    while (this.#reader.takeNewline());
  }

  #pipeline(): Pipeline {
    this.#reader.skipBlanks();
    const isNegated = /^!\s/.test(this.#reader.peek(2)) && this.#reader.take("!");
    const commands = [this.#command()];
    for (;;) {
      this.#reader.skipBlanks();
      if (this.#reader.peek(2) === "||" || !(this.#reader.take("|&") || this.#reader.take("|"))) break;
      this.#skipNewlines();
      commands.push(this.#command());
    }
    return { isNegated, commands };
  }

  /** The reserved word that comes next, or "". */
  #keyword(): string {
    const [word = ""] = /^(?:[a-z]+|[{}])(?=[\s;&|()<>]|$)/.exec(this.#reader.peek(12)) ?? [];
    return reserved.has(word) ? word : "";
  }

  #expect(word: string): void {
    this.#skipLines();
    if (this.#keyword() !== word) throw this.#reader.unexpected(word);
    this.#reader.take(word);
  }

  #command(): Command {
    this.#reader.skipBlanks();
    const { line } = this.#reader;
    const keyword = this.#keyword();
    const compound = this.#compound(keyword);
    if (compound === undefined) return this.#simple(line);
    const redirects: Redirect[] = [];
    for (;;) {
      this.#reader.skipBlanks();
      const redirect = readRedirect(this.#reader);
      if (redirect === undefined) return { ...compound, redirects, line };
      redirects.push(redirect);
    }
  }

  #compound(keyword: string): CommandShape | undefined {
    const { dialect } = this.#reader;
    if (dialect === "bash" && /^\[\[\s/.test(this.#reader.peek(3))) return this.#condition();
    if (dialect === "bash" && this.#reader.peek(2) === "((") {
      const text = this.#reader.takeDouble();
      if (text !== undefined) return { type: "arithmetic", text: this.#reader.expression(text) };
    }
    if (this.#reader.take("(")) {
      const body = this.#statements(")");
      this.#reader.take(")");
      return { type: "subshell", body };
    }
    switch (keyword) {
      case "{": {
        this.#reader.take("{");
        const body = this.#statements("}");
        this.#expect("}");
        return { type: "group", body };
      }
      case "if":
        return this.#if();
      case "while":
      case "until": {
        this.#reader.take(keyword);
        const test = this.#statements("do");
        return { type: "while", isUntil: keyword === "until", test, body: this.#doBody() };
      }
      case "for":
        return this.#for();
      case "case":
        return this.#case();
      case "function":
        return dialect === "bash" ? this.#function() : undefined;
      case "":
        return /^[A-Za-z_][\w-]*\s*\(\s*\)/.test(this.#reader.peek(80)) ? this.#function() : undefined;
      default:
        throw this.#reader.unexpected();
    }
  }

  #doBody(): readonly Statement[] {
    this.#expect("do");
    const body = this.#statements("done");
    this.#expect("done");
    return body;
  }

  #if(): CommandShape {
    const branches: { test: readonly Statement[]; body: readonly Statement[] }[] = [];
    let otherwise: readonly Statement[] = [];
    this.#reader.take("if");
    for (;;) {
      const test = this.#statements("then");
      this.#expect("then");
      branches.push({ test, body: this.#statements("fi", "elif", "else") });
      if (this.#keyword() === "elif") {
        this.#reader.take("elif");
        continue;
      }
      if (this.#keyword() === "else") {
        this.#reader.take("else");
        otherwise = this.#statements("fi");
      }
      this.#expect("fi");
      return { type: "if", branches, otherwise };
    }
  }

  #for(): CommandShape {
    this.#reader.take("for");
    this.#reader.skipBlanks();
    if (this.#reader.dialect === "bash" && this.#reader.peek(2) === "((") return this.#count();
    const [name] = /^[A-Za-z_]\w*/.exec(this.#reader.peek(80)) ?? [];
    if (name === undefined) throw this.#reader.problem("Syntax error: Bad for loop variable");
    this.#reader.at += name.length;
    this.#skipNewlines();
    if (!/^in\b/.test(this.#reader.peek(3))) return { type: "for", name, body: this.#doBody() };
    this.#reader.take("in");
    return { type: "for", name, words: this.#words(), body: this.#doBody() };
  }

  #count(): CommandShape {
    const [start = "", test = "", next = ""] = (this.#reader.takeDouble() ?? "").split(";");
    const word = (text: string): Word => this.#reader.expression(text);
    this.#skipLines();
    return { type: "count", steps: [word(start), word(test), word(next)], body: this.#doBody() };
  }

  #words(): readonly Word[] {
    const words: Word[] = [];
    for (;;) {
      this.#reader.skipBlanks();
      const word = this.#reader.word();
      if (word === undefined) return words;
      words.push(word);
    }
  }

  #case(): CommandShape {
    this.#reader.take("case");
    this.#reader.skipBlanks();
    const word = this.#reader.word() ?? [];
    const arms: CaseArm[] = [];
    this.#skipNewlines();
    if (!this.#reader.take("in")) throw this.#reader.unexpected("in");
    for (;;) {
      this.#skipLines();
      if (this.#keyword() === "esac") break;
      const patterns = this.#patterns();
      const body = this.#statements(";;", "esac");
      const end = ([";;&", ";&", ";;"] as const).find((sign) => this.#reader.take(sign)) ?? ";;";
      arms.push({ patterns, body, end });
    }
    this.#expect("esac");
    return { type: "case", word, arms };
  }

  #patterns(): Word[] {
    const patterns: Word[] = [];
    this.#reader.take("(");
    do {
      this.#reader.skipBlanks();
      const pattern = this.#reader.word();
      if (pattern === undefined) throw this.#reader.unexpected();
      patterns.push(pattern);
      this.#reader.skipBlanks();
    } while (this.#reader.take("|"));
    if (!this.#reader.take(")")) throw this.#reader.unexpected(")");
    return patterns;
  }

  #function(): CommandShape {
    const start = this.#reader.at;
    if (this.#keyword() === "function") this.#reader.take("function");
    this.#reader.skipBlanks();
    const [name = ""] = /^[A-Za-z_][\w-]*/.exec(this.#reader.peek(80)) ?? [];
    this.#reader.at += name.length;
    this.#reader.skipBlanks();
    if (this.#reader.take("(")) {
      this.#reader.skipBlanks();
      this.#reader.take(")");
    }
    this.#skipNewlines();
    const body = this.#command();
    return { type: "function", name, body, text: this.#reader.text.slice(start, this.#reader.at) };
  }

  #condition(): CommandShape {
    this.#reader.take("[[");
    const words: Word[] = [];
    for (;;) {
      this.#reader.skipBlanks();
      if (this.#reader.take("]]")) return { type: "condition", words };
      if (this.#reader.isOver) throw this.#reader.problem("unexpected end of file in conditional expression");
      const operator = ["&&", "||", "(", ")", "<", ">"].find((text) => this.#reader.take(text));
      if (operator !== undefined) words.push([{ kind: "text", text: operator, quoted: false }]);
      else if (!this.#reader.takeNewline()) {
        words.push(this.#regex(words) ?? this.#reader.word({ isPattern: true }) ?? this.#unexpected());
      }
    }
  }

  #unexpected(): never {
    throw this.#reader.unexpected();
  }

  /** After `=~` a word may have any brackets. */
  #regex(words: readonly Word[]): Word | undefined {
    if (literal(words.at(-1)) !== "=~") return undefined;
    const [pattern = ""] = /^[^\s"'$]+/.exec(this.#reader.peek(500)) ?? [];
    if (pattern === "") return undefined;
    this.#reader.at += pattern.length;
    return [{ kind: "text", text: pattern, quoted: false }, ...(this.#reader.word() ?? [])];
  }

  #simple(line: number): Command {
    const start = this.#reader.at;
    const assignments: Assignment[] = [];
    const declared: Assignment[] = [];
    const words: Word[] = [];
    const redirects: Redirect[] = [];
    for (;;) {
      this.#reader.skipBlanks();
      const redirect = readRedirect(this.#reader);
      if (redirect !== undefined) redirects.push(redirect);
      else {
        const isDeclaration = this.#reader.dialect === "bash" && declarations.has(literal(words[0]));
        const assignment = words.length === 0 || isDeclaration ? this.#assignment() : undefined;
        if (assignment !== undefined) (words.length === 0 ? assignments : declared).push(assignment);
        else {
          const word = this.#reader.word();
          if (word === undefined) break;
          words.push(word);
        }
      }
    }
    if (assignments.length + words.length + redirects.length === 0 || this.#reader.peek() === "(") {
      throw this.#reader.unexpected();
    }
    const text = this.#reader.text.slice(start, this.#reader.at).trim();
    return { type: "simple", assignments, declared, words, redirects, line, text };
  }

  #assignment(): Assignment | undefined {
    const rest = this.#reader.peek(300);
    const [found, name = "", plus = ""] =
      /^([A-Za-z_]\w*)(?=(?:\[(?:"[^"]*"|'[^']*'|\$\{[^}]*\}|[^\]\s])+\])?\+?=)(\+?)/.exec(rest) ?? [];
    if (found === undefined) return undefined;
    const isElement = rest.charAt(name.length) === "[";
    if (isElement && this.#reader.dialect === "dash") return undefined;
    this.#reader.at += name.length;
    const index = this.#reader.index();
    const isAppending = plus !== "" || this.#reader.peek() === "+";
    if (isAppending) this.#reader.take("+");
    this.#reader.take("=");
    const place = { name, isAppending, ...(index !== undefined && { index }) };
    if (this.#reader.dialect === "dash" || this.#reader.peek() !== "(") {
      return { ...place, value: this.#reader.word() ?? [], isArray: false };
    }
    return { ...place, value: this.#elements(), isArray: true };
  }

  /** Reads the elements between the parentheses of an array. */
  #elements(): readonly ArrayElement[] {
    this.#reader.take("(");
    const elements: ArrayElement[] = [];
    for (;;) {
      this.#skipNewlines();
      if (this.#reader.take(")")) return elements;
      const isKeyed = /^\[[^\]]+\]=/.test(this.#reader.peek(200));
      const index = isKeyed ? this.#reader.index() : undefined;
      if (isKeyed) this.#reader.take("=");
      const word = this.#reader.word() ?? (isKeyed ? [] : this.#unexpected());
      elements.push({ word, ...(index !== undefined && { index }) });
    }
  }
}
