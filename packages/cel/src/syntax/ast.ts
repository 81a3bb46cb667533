import type { Value } from "../values/value.ts";

/** A node of a parsed expression. `at` is its offset in the source, in UTF-16 units. */
export type Expression =
  | LiteralExpression
  | IdentifierExpression
  | SelectExpression
  | CallExpression
  | ListExpression
  | MapExpression
  | MessageExpression
  | FoldExpression
  | BindExpression;

interface Located {
  readonly at: number;
}

export interface LiteralExpression extends Located {
  readonly kind: "literal";
  readonly value: Value;
}

export interface IdentifierExpression extends Located {
  readonly kind: "identifier";
  /** With a leading dot if it was written so. */
  readonly name: string;
}

export interface SelectExpression extends Located {
  readonly kind: "select";
  readonly operand: Expression;
  readonly field: string;
  /** `has(a.b)`. */
  readonly test: boolean;
  /** `a.?b`. */
  readonly optional: boolean;
}

export interface CallExpression extends Located {
  readonly kind: "call";
  /** Operators have names such as `_+_`; `_&&_` and `_||_` take any number of arguments from two. */
  readonly name: string;
  readonly target?: Expression;
  readonly args: readonly Expression[];
}

export interface ListExpression extends Located {
  readonly kind: "list";
  readonly elements: readonly { readonly value: Expression; readonly optional: boolean }[];
}

export interface MapExpression extends Located {
  readonly kind: "map";
  readonly entries: readonly { readonly key: Expression; readonly value: Expression; readonly optional: boolean }[];
}

/** Construction of a named message, `a.B{c: 1}`: parsed, and refused by the checker. */
export interface MessageExpression extends Located {
  readonly kind: "message";
  readonly name: string;
}

export type FoldOperation =
  | "all"
  | "exists"
  | "existsOne"
  | "map"
  | "filter"
  | "transformList"
  | "transformMap"
  | "transformMapEntry";

/** A comprehension macro. */
export interface FoldExpression extends Located {
  readonly kind: "fold";
  readonly operation: FoldOperation;
  readonly range: Expression;
  /** One name: element of a list or key of a map. Two: index or key, and value. */
  readonly variables: readonly [string] | readonly [string, string];
  readonly predicate?: Expression;
  readonly transform?: Expression;
}

/** `cel.bind`, and the optional macros with `over`: the variable is the value inside the optional and none stays none. */
export interface BindExpression extends Located {
  readonly kind: "bind";
  readonly name: string;
  readonly value: Expression;
  readonly body: Expression;
  readonly over?: "optMap" | "optFlatMap";
}

/** A mistake in the source. */
export interface Issue {
  readonly message: string;
  readonly at: number;
}

/** Thrown by the lexer and the parser; `compile` turns it into an issue. */
export class SyntaxFailure {
  readonly issue: Issue;

  constructor(message: string, at: number) {
    this.issue = { message: `Syntax error: ${message}`, at };
  }
}
