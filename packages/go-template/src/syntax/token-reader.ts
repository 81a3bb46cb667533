import { TemplateError, type Position } from "../template-error.ts";
import type { Token } from "./token.ts";

/** The tokens of a template one after another, and which variables and functions there are. */
export class TokenReader {
  readonly #name: string;
  readonly #tokens: readonly Token[];
  readonly #functions: ReadonlySet<string>;
  #index = 0;
  #variables: readonly string[] = ["$"];
  /** Number of open ranges. */
  ranges = 0;

  constructor(name: string, tokens: readonly Token[], functions: ReadonlySet<string>) {
    this.#name = name;
    this.#tokens = tokens;
    this.#functions = functions;
  }

  peek(ahead = 0): Token | undefined {
    return this.#tokens[this.#index + ahead];
  }

  next(): Token | undefined {
    const token = this.#tokens[this.#index];
    this.#index += 1;
    return token;
  }

  /** Returns whether the next token is this symbol or word. */
  isNext(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token !== undefined && token.type !== "text" && token.type !== "string" && token.text === text;
  }

  take(text: string, where: string): Token {
    const token = this.next();
    if (token === undefined || token.type === "text" || token.type === "string" || token.text !== text) {
      throw this.unexpected(token, where);
    }
    return token;
  }

  error(at: Position, problem: string): TemplateError {
    return new TemplateError(this.#name, at, problem);
  }

  unexpected(token: Token | undefined, where: string): TemplateError {
    const last = this.#tokens.at(-1)?.at ?? { line: 1, column: 1 };
    if (token === undefined) return this.error(last, `unexpected EOF in ${where}`);
    return this.error(
      token.at,
      `unexpected ${token.type === "right" ? '"}}"' : JSON.stringify(token.text)} in ${where}`,
    );
  }

  hasFunction(name: string): boolean {
    return this.#functions.has(name);
  }

  hasVariable(name: string): boolean {
    return this.#variables.includes(name);
  }

  declare(names: readonly string[]): void {
    this.#variables = [...this.#variables, ...names];
  }

  /** Runs `inside` in a scope of its own: variables declared there are gone afterwards. */
  scoped<T>(inside: () => T): T {
    const before = this.#variables;
    try {
      return inside();
    } finally {
      this.#variables = before;
    }
  }

  /** A template of its own knows no variables of the one it stands in. */
  separate<T>(inside: () => T): T {
    return this.scoped(() => {
      this.#variables = ["$"];
      const { ranges } = this;
      this.ranges = 0;
      const value = inside();
      this.ranges = ranges;
      return value;
    });
  }
}
