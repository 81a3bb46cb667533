import type { Position } from "../template-error.ts";

export type TokenType =
  | "text"
  /** Begin and end of an action. */
  | "left"
  | "right"
  | "dot"
  | "field"
  | "variable"
  | "identifier"
  | "string"
  | "integer"
  | "float"
  | "symbol";

export interface Token {
  readonly type: TokenType;
  /** As it stands in the source; for text, what is left after trimming. */
  readonly text: string;
  readonly at: Position;
  /** White space stands before it. */
  readonly spaced: boolean;
  /** Value of a literal. */
  readonly value?: string | number | bigint;
}
