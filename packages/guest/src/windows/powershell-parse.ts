/** Expression that evaluates to a value. */
export type Expression =
  | { readonly kind: "value"; readonly value: Value }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "not"; readonly of: Expression }
  | { readonly kind: "binary"; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | {
      readonly kind: "method";
      readonly of: Expression;
      readonly name: string;
      readonly arguments: readonly Expression[];
    }
  | { readonly kind: "command"; readonly command: Command };

export type Value = string | number | boolean | undefined;

/** A program or cmdlet with what is given to it. */
export interface Command {
  readonly name: string;
  readonly arguments: readonly Expression[];
  readonly redirect?: { readonly append: boolean; readonly path: Expression };
  /** True if its output is discarded. */
  readonly quiet: boolean;
}

export type Statement =
  | { readonly kind: "expression"; readonly expression: Expression }
  | { readonly kind: "assign"; readonly name: string; readonly expression: Expression }
  | { readonly kind: "if"; readonly branches: readonly Branch[]; readonly otherwise: readonly Statement[] }
  | {
      readonly kind: "loop";
      readonly first: readonly Statement[];
      readonly condition: Expression;
      readonly step: readonly Statement[];
      readonly body: readonly Statement[];
    }
  | { readonly kind: "exit"; readonly status: Expression };

interface Branch {
  readonly condition: Expression;
  readonly body: readonly Statement[];
}

type Token =
  | { readonly type: "sign" | "word" | "variable"; readonly text: string }
  | { readonly type: "literal" | "expandable"; readonly text: string };

const patterns: readonly (readonly [Token["type"] | "space", RegExp])[] = [
  ["space", /^(?:[ \t\r]+|`\r?\n|#[^\n]*)/],
  ["sign", /^(?:\n|;|\+\+|\+=|>>|&&|[(){}=,+.|>])/],
  ["variable", /^\$\{?([A-Za-z_][\w:]*)\}?/],
  ["literal", /^'((?:[^']|'')*)'/],
  ["expandable", /^"((?:[^"`]|`[\s\S]|"")*)"/],
  ["word", /^[^\s;(){}=,|>'"$]+/],
];

const tokensOf = (script: string): readonly Token[] => {
  const tokens: Token[] = [];
  for (let rest = script; rest !== "";) {
    const hit = patterns
      .map(([type, pattern]) => [type, pattern.exec(rest)] as const)
      .find(([, match]) => match !== null);
    const [type, match] = hit ?? [];
    if (type === undefined || match === null || match === undefined) {
      throw new SyntaxError(`unexpected ${rest.slice(0, 20)}`);
    }
    rest = rest.slice(match[0].length);
    if (type === "space") continue;
    const [all, inner = all] = match;
    if (type === "literal") tokens.push({ type, text: inner.replaceAll("''", "'") });
    else tokens.push({ type, text: type === "sign" || type === "word" ? all : inner });
  }
  return tokens;
};

const comparisons = new Set(["-lt", "-le", "-gt", "-ge", "-eq", "-ne", "-match", "-join"]);
const ends = new Set(["\n", ";", ")", "}", "|", ">", ">>", "&&"]);

/** Reads a script token by token. */
class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** Statements until the end, or until a brace is closed. */
  block(until?: "}"): readonly Statement[] {
    const statements: Statement[] = [];
    for (;;) {
      while (this.#take("\n") || this.#take(";")) continue;
      if (until === undefined ? this.#peek() === undefined : this.#take(until)) return statements;
      if (this.#peek() === undefined) throw new SyntaxError("a brace is not closed");
      statements.push(this.#statement());
    }
  }

  #peek(ahead = 0): Token | undefined {
    return this.#tokens[this.#at + ahead];
  }

  #is(text: string, ahead = 0): boolean {
    const token = this.#peek(ahead);
    return token !== undefined && (token.type === "sign" || token.type === "word") && token.text.toLowerCase() === text;
  }

  #take(text: string): boolean {
    if (!this.#is(text)) return false;
    this.#at += 1;
    return true;
  }

  #must(text: string): void {
    if (!this.#take(text)) throw new SyntaxError(`${text} is missing before ${this.#peek()?.text ?? "the end"}`);
  }

  #braces(): readonly Statement[] {
    while (this.#take("\n")) continue;
    this.#must("{");
    return this.block("}");
  }

  #inParentheses(): Expression {
    this.#must("(");
    const inner = this.#expression();
    this.#must(")");
    return inner;
  }

  #statement(): Statement {
    if (this.#take("if")) return this.#if();
    if (this.#take("while")) {
      return { kind: "loop", first: [], condition: this.#inParentheses(), step: [], body: this.#braces() };
    }
    if (this.#take("for")) return this.#for();
    if (this.#take("exit")) {
      const token = this.#peek();
      const none = token === undefined || (token.type === "sign" && ends.has(token.text));
      return { kind: "exit", status: none ? { kind: "value", value: 0 } : this.#expression() };
    }
    return this.#assignment() ?? { kind: "expression", expression: this.#expression() };
  }

  #assignment(): Statement | undefined {
    const token = this.#peek();
    if (token?.type !== "variable") return undefined;
    const name = token.text.toLowerCase();
    const sign = ["=", "++", "+="].find((each) => this.#is(each, 1));
    if (sign === undefined) return undefined;
    this.#at += 2;
    if (sign === "=") return { kind: "assign", name, expression: this.#expression() };
    const right: Expression = sign === "++" ? { kind: "value", value: 1 } : this.#expression();
    const left: Expression = { kind: "variable", name };
    return { kind: "assign", name, expression: { kind: "binary", operator: "+", left, right } };
  }

  #if(): Statement {
    const branches: Branch[] = [{ condition: this.#inParentheses(), body: this.#braces() }];
    for (;;) {
      const before = this.#at;
      while (this.#take("\n")) continue;
      if (this.#take("elseif")) branches.push({ condition: this.#inParentheses(), body: this.#braces() });
      else if (this.#take("else")) return { kind: "if", branches, otherwise: this.#braces() };
      else {
        this.#at = before;
        return { kind: "if", branches, otherwise: [] };
      }
    }
  }

  #for(): Statement {
    this.#must("(");
    const first = this.#is(";") ? [] : [this.#statement()];
    this.#must(";");
    const condition = this.#expression();
    this.#must(";");
    const step = this.#is(")") ? [] : [this.#statement()];
    this.#must(")");
    return { kind: "loop", first, condition, step, body: this.#braces() };
  }

  #expression(): Expression {
    let left = this.#comparison();
    for (;;) {
      const operator = ["-and", "-or"].find((each) => this.#take(each));
      if (operator === undefined) return left;
      left = { kind: "binary", operator, left, right: this.#comparison() };
    }
  }

  #comparison(): Expression {
    if (this.#take("-not") || this.#take("!")) return { kind: "not", of: this.#comparison() };
    const left = this.#sum();
    const token = this.#peek();
    if (token?.type !== "word" || !comparisons.has(token.text.toLowerCase())) return left;
    this.#at += 1;
    return { kind: "binary", operator: token.text.toLowerCase(), left, right: this.#sum() };
  }

  #sum(): Expression {
    let left = this.#withMethods(this.#primary());
    for (;;) {
      const operator = ["+", "-"].find((each) => this.#take(each));
      if (operator === undefined) return left;
      left = { kind: "binary", operator, left, right: this.#withMethods(this.#primary()) };
    }
  }

  #withMethods(of: Expression): Expression {
    let value = of;
    for (;;) {
      const token = this.#peek();
      const name = token?.type === "word" ? /^\.([A-Za-z]+)$/.exec(token.text)?.[1] : undefined;
      const dotted = this.#is(".") && this.#peek(1)?.type === "word" ? this.#peek(1)?.text : undefined;
      const method = name ?? dotted;
      if (method === undefined) return value;
      this.#at += name === undefined ? 2 : 1;
      value = { kind: "method", of: value, name: method.toLowerCase(), arguments: this.#given() };
    }
  }

  /** Parses the arguments of a method, in parentheses. */
  #given(): readonly Expression[] {
    const given: Expression[] = [];
    if (!this.#take("(")) return given;
    while (!this.#take(")")) {
      given.push(this.#expression());
      this.#take(",");
    }
    return given;
  }

  #primary(): Expression {
    if (this.#is("(")) return this.#inParentheses();
    const token = this.#peek();
    if (token === undefined) throw new SyntaxError("a value is missing at the end");
    if (token.type !== "word") return this.#value();
    const [, code] = /^\[char\](\d+)$/i.exec(token.text) ?? [];
    const [, of, name = ""] = /^\[(math)\]::(\w+)$/i.exec(token.text) ?? [];
    if (code !== undefined || of !== undefined) this.#at += 1;
    if (code !== undefined) return { kind: "value", value: String.fromCodePoint(Number(code)) };
    if (of !== undefined) {
      return { kind: "method", of: nothing, name: `math.${name.toLowerCase()}`, arguments: this.#given() };
    }
    return /^-?\d+(?:\.\d+)?$/.test(token.text) ? this.#value() : { kind: "command", command: this.#command() };
  }

  /** A value by itself: text, a number, a variable. */
  #value(): Expression {
    const token = this.#peek();
    if (token === undefined || token.type === "sign") throw new SyntaxError(`unexpected ${token?.text ?? "end"}`);
    this.#at += 1;
    if (token.type === "expandable") return { kind: "text", text: token.text };
    if (token.type === "variable") return variable(token.text);
    if (token.type === "word" && /^-?\d+(?:\.\d+)?$/.test(token.text)) {
      return { kind: "value", value: Number(token.text) };
    }
    return { kind: "value", value: token.text };
  }

  #command(): Command {
    const name = this.#peek()?.text ?? "";
    this.#at += 1;
    const given: Expression[] = [];
    for (let token = this.#peek(); token !== undefined && !this.#isEnd(token); token = this.#peek()) {
      if (this.#take(",")) continue;
      given.push(this.#is("(") ? this.#inParentheses() : this.#value());
    }
    const append = this.#is(">>");
    const redirect = this.#take(">>") || this.#take(">") ? { append, path: this.#value() } : undefined;
    const quiet = this.#take("|");
    if (quiet) this.#must("out-null");
    return { name, arguments: given, quiet, ...(redirect === undefined ? {} : { redirect }) };
  }

  /** Where the arguments of a command end: a comparison belongs to what it is in. */
  #isEnd({ type, text }: Token): boolean {
    if (type === "sign") return ends.has(text);
    const word = text.toLowerCase();
    return type === "word" && (comparisons.has(word) || word === "-and" || word === "-or");
  }
}

const nothing: Expression = { kind: "value", value: undefined };

const constants: Readonly<Record<string, Value>> = { true: true, false: false, null: undefined };

const variable = (text: string): Expression => {
  const name = text.toLowerCase();
  return Object.hasOwn(constants, name) ? { kind: "value", value: constants[name] } : { kind: "variable", name };
};

/** Reads the part of PowerShell that bootstrap scripts and checks are written in. Throws a `SyntaxError` at anything else. */
export const parsePowerShell = (script: string): readonly Statement[] => new Parser(tokensOf(script)).block();
