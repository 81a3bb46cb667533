import { type Token, tokensOf } from "./tokens.ts";
import type { AwkProgram, Expression, Rule, Statement } from "./tree.ts";

const assigning = new Set(["=", "+=", "-=", "*=", "/=", "%=", "^=", "**="]);

/** Operators of two sides, those that bind least first; between the fourth and the fifth texts are joined. */
const levels: readonly (readonly string[])[] = [["||"], ["&&"], ["~", "!~"], ["<", "<=", "==", "!=", ">", ">="]];
const sums: readonly (readonly string[])[] = [
  ["+", "-"],
  ["*", "/", "%"],
];

const leaving = new Set(["next", "exit", "break", "continue", "return"]);

/** Reads a program of awk. */
class AwkParser {
  readonly #tokens: readonly Token[];
  #at = 0;
  /** More than 0: `>` is where a print goes to. */
  #inPrint = 0;
  /** More than 0: `in` belongs to a loop. */
  #inHead = 0;

  constructor(text: string) {
    this.#tokens = tokensOf(text);
  }

  #peek(ahead = 0): Token {
    return this.#tokens[this.#at + ahead] ?? { kind: "end", text: "", isApart: false };
  }

  #is(text: string): boolean {
    const { kind, text: next } = this.#peek();
    return next === text && (kind === "sign" || kind === "name" || kind === "call");
  }

  #take(text: string): boolean {
    if (!this.#is(text)) return false;
    this.#at += 1;
    return true;
  }

  #expect(text: string): void {
    if (!this.#take(text)) this.#wrong();
  }

  #wrong(): never {
    const { kind, text } = this.#peek();
    throw new Error(`line 1: syntax error at or near ${kind === "end" ? "end of file" : text}`);
  }

  #name(): string {
    const { kind, text } = this.#peek();
    if (kind !== "name" && kind !== "call") this.#wrong();
    this.#at += 1;
    return text;
  }

  #skip(): void {
    while (this.#peek().kind === "newline" || this.#is(";")) this.#at += 1;
  }

  #newlines(): void {
    while (this.#peek().kind === "newline") this.#at += 1;
  }

  program(): AwkProgram {
    const [begin, end]: [Statement[], Statement[]] = [[], []];
    const rules: Rule[] = [];
    const functions = new Map<string, { names: readonly string[]; body: Statement }>();
    for (;;) {
      this.#skip();
      if (this.#peek().kind === "end") return { begin, end, rules, functions };
      if (this.#take("BEGIN")) begin.push(this.#block());
      else if (this.#take("END")) end.push(this.#block());
      else if (this.#take("function")) {
        const name = this.#name();
        this.#expect("(");
        const names: string[] = [];
        while (!this.#take(")")) {
          names.push(this.#name());
          this.#take(",");
        }
        this.#newlines();
        functions.set(name, { names, body: this.#block() });
      } else rules.push(this.#rule());
    }
  }

  #rule(): Rule {
    if (this.#is("{")) return { body: this.#block() };
    const from = this.expression();
    const to = this.#take(",") ? (this.#newlines(), this.expression()) : undefined;
    const body = this.#is("{") ? this.#block() : undefined;
    return { from, ...(to && { to }), ...(body && { body }) };
  }

  #block(): Statement {
    this.#expect("{");
    const body: Statement[] = [];
    for (;;) {
      this.#skip();
      if (this.#take("}")) return { kind: "block", body };
      body.push(this.#statement());
    }
  }

  #body(): Statement {
    this.#newlines();
    if (this.#take(";")) return { kind: "block", body: [] };
    return this.#statement();
  }

  #statement(): Statement {
    if (this.#is("{")) return this.#block();
    if (this.#take("if")) return this.#if();
    if (this.#take("for")) return this.#for();
    if (this.#take("while")) {
      this.#expect("(");
      const test = this.expression();
      this.#expect(")");
      return { kind: "while", test, body: this.#body(), isAfter: false };
    }
    if (this.#take("do")) {
      const body = this.#body();
      this.#skip();
      this.#expect("while");
      this.#expect("(");
      const test = this.expression();
      this.#expect(")");
      return { kind: "while", test, body, isAfter: true };
    }
    const simple = this.#simple();
    if (!this.#is("}") && !this.#take(";") && this.#peek().kind !== "newline" && this.#peek().kind !== "end") {
      this.#wrong();
    }
    return simple;
  }

  #if(): Statement {
    this.#expect("(");
    const test = this.expression();
    this.#expect(")");
    const yes = this.#body();
    const place = this.#at;
    this.#skip();
    if (this.#take("else")) return { kind: "if", test, yes, no: this.#body() };
    this.#at = place;
    return { kind: "if", test, yes };
  }

  #for(): Statement {
    this.#expect("(");
    if (this.#peek(1).text === "in" && this.#peek(3).text === ")") {
      const name = this.#name();
      this.#at += 1;
      const of = this.#name();
      this.#expect(")");
      return { kind: "each", name, of, body: this.#body() };
    }
    const start = this.#is(";") ? undefined : this.#simple();
    this.#expect(";");
    const test = this.#is(";") ? undefined : this.expression();
    this.#expect(";");
    const next = this.#is(")") ? undefined : this.#simple();
    this.#expect(")");
    const parts = { ...(start && { start }), ...(test && { test }), ...(next && { next }) };
    return { kind: "for", ...parts, body: this.#body() };
  }

  #simple(): Statement {
    if (this.#take("print")) return this.#print(false);
    if (this.#take("printf")) return this.#print(true);
    const { kind, text } = this.#peek();
    if (this.#take("delete")) {
      const name = this.#name();
      const keys = this.#take("[") ? this.#list("]") : undefined;
      return { kind: "delete", name, ...(keys && { keys }) };
    }
    if (kind === "name" && leaving.has(text)) {
      this.#at += 1;
      const isBare = this.#is(";") || this.#is("}") || ["newline", "end"].includes(this.#peek().kind);
      const how = text as "next" | "exit" | "break" | "continue" | "return";
      return { kind: "leave", how, ...(!isBare && { value: this.expression() }) };
    }
    return { kind: "expression", of: this.expression() };
  }

  #print(isFormatted: boolean): Statement {
    this.#inPrint += 1;
    let values: readonly Expression[] = [];
    const place = this.#at;
    if (this.#take("(")) {
      const inPrint = this.#inPrint;
      this.#inPrint = 0;
      values = this.#list(")");
      this.#inPrint = inPrint;
      const isWhole =
        this.#is(";") ||
        this.#is("}") ||
        this.#is(">") ||
        this.#is(">>") ||
        this.#is("|") ||
        ["newline", "end"].includes(this.#peek().kind);
      if (!isWhole) {
        this.#at = place;
        values = this.#values();
      }
    } else values = this.#values();
    this.#inPrint -= 1;
    for (const operator of [">", ">>", "|"]) {
      if (this.#take(operator)) return { kind: "print", isFormatted, values, to: { operator, file: this.#joined() } };
    }
    return { kind: "print", isFormatted, values };
  }

  #values(): readonly Expression[] {
    const values: Expression[] = [];
    if (
      this.#is(";") ||
      this.#is("}") ||
      this.#is(">") ||
      this.#is("|") ||
      ["newline", "end"].includes(this.#peek().kind)
    ) {
      return values;
    }
    do {
      this.#newlines();
      values.push(this.expression());
    } while (this.#take(","));
    return values;
  }

  #list(end: string): readonly Expression[] {
    const values: Expression[] = [];
    this.#newlines();
    if (this.#take(end)) return values;
    do {
      this.#newlines();
      values.push(this.expression());
    } while (this.#take(","));
    this.#expect(end);
    return values;
  }

  expression(): Expression {
    const test = this.#level(0);
    const { text } = this.#peek();
    if (this.#peek().kind === "sign" && assigning.has(text) && ["name", "element", "field"].includes(test.kind)) {
      this.#at += 1;
      this.#newlines();
      return { kind: "assign", operator: text.slice(0, -1), target: test, value: this.expression() };
    }
    if (!this.#take("?")) return test;
    this.#newlines();
    const yes = this.expression();
    this.#newlines();
    this.#expect(":");
    this.#newlines();
    return { kind: "choice", test, yes, no: this.expression() };
  }

  #level(depth: number): Expression {
    const operators = levels[depth];
    if (operators === undefined) return this.#joined();
    let left = this.#level(depth + 1);
    for (;;) {
      const { kind, text } = this.#peek();
      if (depth === 1 && this.#inHead === 0 && this.#is("in")) {
        this.#at += 1;
        left = { kind: "in", keys: [left], name: this.#name() };
        continue;
      }
      if (kind !== "sign" || !operators.includes(text) || (text === ">" && this.#inPrint > 0)) return left;
      this.#at += 1;
      this.#newlines();
      const right = this.#level(depth + 1);
      left = { kind: "binary", operator: text, left, right };
      // The right of what assigns may be an assignment.
      const next = this.#peek();
      if (
        next.kind === "sign" &&
        assigning.has(next.text) &&
        depth < 2 &&
        ["name", "element", "field"].includes(right.kind)
      ) {
        this.#at += 1;
        const value = this.expression();
        left = { ...left, right: { kind: "assign", operator: next.text.slice(0, -1), target: right, value } };
      }
    }
  }

  /** Texts that stand beside one another are one. */
  #joined(): Expression {
    let left = this.#sum(0);
    for (;;) {
      const { kind, text } = this.#peek();
      const begins =
        ["number", "text", "name", "call"].includes(kind) ||
        (kind === "sign" && ["$", "(", "!", "-", "+", "++", "--"].includes(text));
      if (!begins || (kind === "name" && text === "in") || (text === "getline" && kind === "name")) break;
      left = { kind: "binary", operator: " ", left, right: this.#sum(0) };
    }
    if (this.#inPrint === 0 && this.#is("|") && this.#peek(1).text === "getline") this.#wrong();
    return left;
  }

  #sum(depth: number): Expression {
    const operators = sums[depth];
    if (operators === undefined) return this.#unary();
    let left = this.#sum(depth + 1);
    for (;;) {
      const { kind, text } = this.#peek();
      if (kind !== "sign" || !operators.includes(text)) return left;
      this.#at += 1;
      left = { kind: "binary", operator: text, left, right: this.#sum(depth + 1) };
    }
  }

  #unary(): Expression {
    for (const operator of ["!", "-", "+"]) {
      if (this.#take(operator)) return { kind: "unary", operator, of: this.#unary() };
    }
    const base = this.#stepped();
    if (!this.#take("^") && !this.#take("**")) return base;
    return { kind: "binary", operator: "^", left: base, right: this.#unary() };
  }

  #stepped(): Expression {
    if (this.#take("++")) return { kind: "step", by: 1, isBefore: true, target: this.#primary() };
    if (this.#take("--")) return { kind: "step", by: -1, isBefore: true, target: this.#primary() };
    const target = this.#primary();
    if (!["name", "element", "field"].includes(target.kind)) return target;
    if (this.#take("++")) return { kind: "step", by: 1, isBefore: false, target };
    if (this.#take("--")) return { kind: "step", by: -1, isBefore: false, target };
    return target;
  }

  #primary(): Expression {
    const { kind, text } = this.#peek();
    this.#at += 1;
    if (kind === "number") return { kind: "number", value: Number(text) };
    if (kind === "text") return { kind: "text", value: text };
    if (kind === "expression") return { kind: "expression", source: text };
    if (kind === "sign" && text === "$") return { kind: "field", of: this.#stepped() };
    if (kind === "sign" && text === "(") return this.#group();
    if (kind === "name" && text === "getline") return this.#getline();
    if (kind === "call" && this.#take("(")) {
      const inPrint = this.#inPrint;
      this.#inPrint = 0;
      const args = this.#list(")");
      this.#inPrint = inPrint;
      return { kind: "call", name: text, args };
    }
    if (kind === "name" && text === "length") return { kind: "call", name: text, args: [] };
    if (kind !== "name") {
      this.#at -= 1;
      return this.#wrong();
    }
    if (this.#take("[")) return { kind: "element", name: text, keys: this.#list("]") };
    return { kind: "name", name: text };
  }

  #group(): Expression {
    const { "0": head, "1": print } = [this.#inHead, this.#inPrint];
    [this.#inHead, this.#inPrint] = [0, 0];
    const values = this.#list(")");
    [this.#inHead, this.#inPrint] = [head ?? 0, print ?? 0];
    if (this.#take("in")) return { kind: "in", keys: values, name: this.#name() };
    const [only] = values;
    if (only === undefined || values.length > 1) return this.#wrong();
    return { kind: "binary", operator: " ", left: only, right: { kind: "text", value: "" } }.left;
  }

  #getline(): Expression {
    const target = ["name"].includes(this.#peek().kind) ? this.#primary() : undefined;
    const file = this.#take("<") ? this.#sum(0) : undefined;
    return { kind: "getline", ...(target && { target }), ...(file && { file }) };
  }
}

/** Reads a program of awk. Throws for what is none. */
export const parseAwk = (text: string): AwkProgram => new AwkParser(text).program();
