import type { Expression, ListExpression, MapExpression } from "./ast.ts";
import { SyntaxFailure } from "./ast.ts";
import { numberValue, tokenize } from "./lexer.ts";
import type { Token } from "./lexer.ts";
import { expandMacro } from "./macros.ts";

/** Words that may not name a variable, as they are reserved for languages that embed CEL. */
const reserved = new Set(
  "as break const continue else for function if import let loop package namespace return var void while".split(" "),
);

/**
 * Maximum nesting of brackets, and maximum height of the tree: a chain of selections or operators adds one for each.
 */
const maxDepth = 250;
const maxHeight = 500;

const binaryLevels: readonly (readonly string[])[] = [
  ["==", "!=", "<", "<=", ">", ">=", "in"],
  ["+", "-"],
  ["*", "/", "%"],
];

class Parser {
  readonly #tokens: readonly Token[];
  readonly #heights = new Map<Expression, number>();
  #position = 0;
  #depth = 0;

  constructor(source: string) {
    this.#tokens = tokenize(source);
  }

  parse(): Expression {
    const expression = this.#expression();
    if (this.#token.kind !== "end") this.#unexpected();
    return expression;
  }

  get #token(): Token {
    return this.#tokens[this.#position]!;
  }

  #unexpected(): never {
    const { text, at } = this.#token;
    throw new SyntaxFailure(`unexpected '${text}'`, at);
  }

  #is(symbol: string): boolean {
    return this.#token.kind === "symbol" && this.#token.text === symbol;
  }

  #take(symbol: string): boolean {
    if (!this.#is(symbol)) return false;
    this.#position++;
    return true;
  }

  #expect(symbol: string): void {
    if (!this.#take(symbol)) this.#unexpected();
  }

  #nested<T>(parse: () => T): T {
    if (++this.#depth > maxDepth) throw new SyntaxFailure("expression nests too deeply", this.#token.at);
    const result = parse();
    this.#depth--;
    return result;
  }

  /** Records a node above others. */
  #grow(node: Expression, ...below: readonly Expression[]): Expression {
    const height = 1 + Math.max(0, ...below.map((child) => this.#heights.get(child) ?? 0));
    if (height > maxHeight) throw new SyntaxFailure("expression nests too deeply", node.at);
    this.#heights.set(node, height);
    return node;
  }

  #expression(): Expression {
    return this.#nested(() => {
      const condition = this.#logical("||");
      const { at } = this.#token;
      if (!this.#take("?")) return condition;
      const yes = this.#logical("||");
      this.#expect(":");
      const no = this.#expression();
      return this.#grow({ kind: "call", name: "_?_:_", args: [condition, yes, no], at }, condition, yes, no);
    });
  }

  #logical(operator: "||" | "&&"): Expression {
    const operand = () => (operator === "||" ? this.#logical("&&") : this.#binary(0));
    const args = [operand()];
    const { at } = this.#token;
    while (this.#take(operator)) args.push(operand());
    return args.length === 1 ? args[0]! : this.#grow({ kind: "call", name: `_${operator}_`, args, at }, ...args);
  }

  #binary(level: number): Expression {
    const operators = binaryLevels[level];
    if (operators === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    while (this.#token.kind === "symbol" && operators.includes(this.#token.text)) {
      const { text, at } = this.#token;
      this.#position++;
      const args = [left, this.#binary(level + 1)];
      left = this.#grow({ kind: "call", name: text === "in" ? "@in" : `_${text}_`, args, at }, ...args);
    }
    return left;
  }

  #unary(): Expression {
    const { at } = this.#token;
    if (this.#is("!")) return this.#repeated("!", "!_", at);
    if (!this.#is("-")) return this.#member();
    const next = this.#tokens[this.#position + 1]!;
    if (next.kind === "number") {
      this.#position += 2;
      return this.#trailers({ kind: "literal", value: numberValue(next.text, true, at), at });
    }
    return this.#repeated("-", "-_", at);
  }

  /** An even number of equal unary operators cancels out. */
  #repeated(symbol: string, name: string, at: number): Expression {
    let count = 0;
    while (this.#is(symbol) && (symbol === "!" || count === 0 || this.#tokens[this.#position + 1]?.kind !== "number")) {
      this.#position++;
      count++;
    }
    const operand = symbol === "-" && this.#is("-") ? this.#unary() : this.#member();
    return count % 2 === 0 ? operand : this.#grow({ kind: "call", name, args: [operand], at }, operand);
  }

  #member(): Expression {
    return this.#trailers(this.#primary());
  }

  #trailers(start: Expression): Expression {
    let operand = start;
    for (;;) {
      const { at } = this.#token;
      if (this.#take(".")) operand = this.#selection(operand, at);
      else if (this.#take("[")) operand = this.#index(operand, at);
      else return operand;
    }
  }

  #index(operand: Expression, at: number): Expression {
    const name = this.#take("?") ? "_[?_]" : "_[_]";
    const key = this.#expression();
    this.#expect("]");
    return this.#grow({ kind: "call", name, args: [operand, key], at }, operand, key);
  }

  #selection(operand: Expression, at: number): Expression {
    const optional = this.#take("?");
    const { kind, text } = this.#token;
    if (kind !== "identifier" && kind !== "quoted") this.#unexpected();
    this.#position++;
    const isCall = kind === "identifier" && !optional && this.#is("(");
    if (!isCall) {
      const field = kind === "quoted" ? text.slice(1, -1) : text;
      return this.#grow({ kind: "select", operand, field, test: false, optional, at }, operand);
    }
    const args = this.#arguments();
    const call: Expression = { kind: "call", name: text, target: operand, args, at };
    return this.#grow(expandMacro(text, operand, args, at) ?? call, operand, ...args);
  }

  #arguments(): Expression[] {
    this.#expect("(");
    const args: Expression[] = [];
    while (!this.#take(")")) {
      args.push(this.#expression());
      if (!this.#is(")")) {
        this.#expect(",");
        if (this.#is(")")) this.#unexpected();
      }
    }
    return args;
  }

  #primary(): Expression {
    const token = this.#token;
    const { at } = token;
    if (token.kind === "identifier") return this.#identifier("");
    this.#position++;
    if (token.kind === "literal") return { kind: "literal", value: token.value, at };
    if (token.kind === "number") return { kind: "literal", value: numberValue(token.text, false, at), at };
    if (token.kind === "symbol") {
      if (token.text === "(") {
        const inner = this.#expression();
        this.#expect(")");
        return inner;
      }
      if (token.text === "[") return this.#list(at);
      if (token.text === "{") return this.#map(at);
      if (token.text === "." && this.#token.kind === "identifier") return this.#identifier(".");
    }
    this.#position--;
    return this.#unexpected();
  }

  #identifier(prefix: "" | "."): Expression {
    const { text, at } = this.#token;
    this.#position++;
    if (reserved.has(text)) throw new SyntaxFailure(`reserved identifier: ${text}`, at);
    const message = this.#messageName(prefix + text, at);
    if (message !== undefined) return message;
    if (!this.#is("(")) return { kind: "identifier", name: prefix + text, at };
    const args = this.#arguments();
    const call: Expression = { kind: "call", name: prefix + text, args, at };
    return this.#grow(expandMacro(text, undefined, args, at) ?? call, ...args);
  }

  /** Looks ahead for `a.b.C{`; without the brace nothing is consumed. */
  #messageName(start: string, at: number): Expression | undefined {
    let position = this.#position;
    let name = start;
    while (this.#tokens[position]?.text === "." && this.#tokens[position + 1]?.kind === "identifier") {
      name += `.${this.#tokens[position + 1]!.text}`;
      position += 2;
    }
    const brace = this.#tokens[position]!;
    if (brace.kind !== "symbol" || brace.text !== "{") return undefined;
    this.#position = position + 1;
    this.#entries(() => {
      this.#take("?");
      if (this.#token.kind !== "identifier" && this.#token.kind !== "quoted") this.#unexpected();
      this.#position++;
      this.#expect(":");
      this.#expression();
    }, "}");
    return { kind: "message", name, at };
  }

  /** Comma-separated entries up to the closing symbol; a trailing comma is allowed. */
  #entries(entry: () => void, close: string): void {
    while (!this.#take(close)) {
      entry();
      if (!this.#is(close)) this.#expect(",");
    }
  }

  #list(at: number): Expression {
    const elements: ListExpression["elements"][number][] = [];
    this.#entries(() => {
      const optional = this.#take("?");
      elements.push({ optional, value: this.#expression() });
    }, "]");
    return this.#grow({ kind: "list", elements, at }, ...elements.map(({ value }) => value));
  }

  #map(at: number): Expression {
    const entries: MapExpression["entries"][number][] = [];
    this.#entries(() => {
      const optional = this.#take("?");
      const key = this.#expression();
      this.#expect(":");
      entries.push({ optional, key, value: this.#expression() });
    }, "}");
    return this.#grow({ kind: "map", entries, at }, ...entries.flatMap(({ key, value }) => [key, value]));
  }
}

/** The syntax tree of an expression, macros expanded. Throws `SyntaxFailure`. */
export const parse = (source: string): Expression => new Parser(source).parse();
