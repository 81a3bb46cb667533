import { Reader, readRedirect } from "./reader.ts";
import type { Assignment, Command, CommandShape, Dialect, Pipeline, Redirect, Statement, Word } from "./syntax.ts";

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

/** Parses a script statement by statement, as a shell reads it: what is wrong shows when it is reached. */
export class Parser {
  readonly #reader: Reader;

  constructor(script: string, options: { readonly dialect: Dialect; readonly line?: number; readonly depth?: number }) {
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
      (this.#reader.peek() === ";" && this.#reader.peek(2) !== ";;" && this.#reader.take(";"))
    );
  }

  /** Statements up to one of the words, which is left. */
  #statements(...until: readonly string[]): readonly Statement[] {
    const found: Statement[] = [];
    for (;;) {
      this.#skipLines();
      if (until.includes(this.#keyword()) || (until.includes(")") && this.#reader.peek() === ")")) return found;
      if (until.includes(";;") && this.#reader.peek(2) === ";;") return found;
      if (this.#reader.isOver) {
        throw this.#reader.problem(`Syntax error: end of file unexpected (expecting "${until[0]}")`);
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
    if (this.#reader.peek(2) !== ";;" && !this.#reader.take(";")) this.#reader.take("&");
    return { first, rest };
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
    if (this.#keyword() !== word) {
      throw this.#reader.problem(
        `Syntax error: ${JSON.stringify(this.#found())} unexpected (expecting ${JSON.stringify(word)})`,
      );
    }
    this.#reader.take(word);
  }

  #found(): string {
    if (this.#reader.isOver) return "end of file";
    return /^(?:\w+|\n|.)/.exec(this.#reader.peek(20))?.[0].replace("\n", "newline") ?? "";
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
    if (dialect === "bash" && this.#reader.peek(2) === "((") return this.#arithmetic();
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
        throw this.#reader.problem(`Syntax error: ${JSON.stringify(keyword)} unexpected`);
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
    const [name] = /^[A-Za-z_]\w*/.exec(this.#reader.peek(80)) ?? [];
    if (name === undefined) throw this.#reader.problem("Syntax error: Bad for loop variable");
    this.#reader.at += name.length;
    this.#skipNewlines();
    if (!/^in\b/.test(this.#reader.peek(3))) return { type: "for", name, body: this.#doBody() };
    this.#reader.take("in");
    return { type: "for", name, words: this.#words(), body: this.#doBody() };
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
    const arms: { patterns: Word[]; body: readonly Statement[] }[] = [];
    this.#skipNewlines();
    if (!this.#reader.take("in")) throw this.#reader.problem('Syntax error: word unexpected (expecting "in")');
    for (;;) {
      this.#skipLines();
      if (this.#keyword() === "esac") break;
      arms.push({ patterns: this.#patterns(), body: this.#statements(";;", "esac") });
      this.#reader.take(";;");
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
      if (pattern === undefined) {
        throw this.#reader.problem(`Syntax error: ${JSON.stringify(this.#found())} unexpected`);
      }
      patterns.push(pattern);
      this.#reader.skipBlanks();
    } while (this.#reader.take("|"));
    if (!this.#reader.take(")")) throw this.#reader.problem('Syntax error: word unexpected (expecting ")")');
    return patterns;
  }

  #function(): CommandShape {
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
    return { type: "function", name, body: this.#command() };
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
      else if (!this.#reader.takeNewline()) words.push(this.#regex(words) ?? this.#reader.word() ?? this.#unexpected());
    }
  }

  #unexpected(): never {
    throw this.#reader.problem(`syntax error near unexpected token \`${this.#found()}'`);
  }

  /** After `=~` a word may have any brackets. */
  #regex(words: readonly Word[]): Word | undefined {
    const [before] = words.slice(-1);
    if (before?.map((part) => (part.kind === "text" ? part.text : "")).join("") !== "=~") return undefined;
    const [pattern = ""] = /^[^\s"'$]+/.exec(this.#reader.peek(500)) ?? [];
    if (pattern === "") return undefined;
    this.#reader.at += pattern.length;
    return [{ kind: "text", text: pattern, quoted: false }, ...(this.#reader.word() ?? [])];
  }

  #arithmetic(): CommandShape {
    const end = this.#reader.text.indexOf("))", this.#reader.at);
    if (end < 0) this.#unexpected();
    const text = this.#reader.text.slice(this.#reader.at + 2, end);
    this.#reader.at = end + 2;
    return { type: "arithmetic", text };
  }

  #simple(line: number): Command {
    const assignments: Assignment[] = [];
    const words: Word[] = [];
    const redirects: Redirect[] = [];
    for (;;) {
      this.#reader.skipBlanks();
      const redirect = readRedirect(this.#reader);
      if (redirect !== undefined) redirects.push(redirect);
      else {
        const assignment = words.length === 0 ? this.#assignment() : undefined;
        if (assignment !== undefined) assignments.push(assignment);
        else {
          const word = this.#reader.word();
          if (word === undefined) break;
          words.push(word);
        }
      }
    }
    if (assignments.length + words.length + redirects.length === 0 || this.#reader.peek() === "(") {
      throw this.#reader.problem(`Syntax error: ${JSON.stringify(this.#found())} unexpected`);
    }
    return { type: "simple", assignments, words, redirects, line };
  }

  #assignment(): Assignment | undefined {
    const [found, name = "", plus = ""] = /^([A-Za-z_]\w*)(\+?)=/.exec(this.#reader.peek(120)) ?? [];
    if (found === undefined) return undefined;
    this.#reader.at += found.length;
    const isAppending = plus !== "";
    if (this.#reader.dialect === "dash" || this.#reader.peek() !== "(") {
      return { name, isAppending, value: this.#reader.word() ?? [], isArray: false };
    }
    this.#reader.take("(");
    const value: Word[] = [];
    do value.push(...this.#words());
    while (this.#reader.takeNewline());
    if (!this.#reader.take(")")) this.#unexpected();
    return { name, isAppending, value, isArray: true };
  }
}
