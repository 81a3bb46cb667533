import type { Position } from "../template-error.ts";

/** A value in a pipeline; `text` is how it stands in the source. */
export type Operand = { readonly at: Position; readonly text: string } & (
  | { readonly kind: "dot" }
  | { readonly kind: "nil" }
  | { readonly kind: "literal"; readonly value: unknown }
  /** `.a.b`, from the dot. */
  | { readonly kind: "field"; readonly path: readonly string[] }
  | { readonly kind: "variable"; readonly name: string; readonly path: readonly string[] }
  | { readonly kind: "function"; readonly name: string }
  | { readonly kind: "pipeline"; readonly pipeline: Pipeline }
  /** Fields of anything else, such as `(index .list 0).name`. */
  | { readonly kind: "chain"; readonly of: Operand; readonly path: readonly string[] }
);

export interface Command {
  readonly at: Position;
  readonly operands: readonly [Operand, ...Operand[]];
}

export interface Pipeline {
  readonly at: Position;
  /** Variables that are set to its value, with their `$`. */
  readonly variables: readonly string[];
  /** True if they exist already. */
  readonly assigns: boolean;
  readonly commands: readonly Command[];
}

export type Statement =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "output"; readonly at: Position; readonly pipeline: Pipeline }
  | {
      readonly kind: "if" | "with" | "range";
      readonly at: Position;
      readonly pipeline: Pipeline;
      readonly body: readonly Statement[];
      readonly otherwise: readonly Statement[];
    }
  | { readonly kind: "template"; readonly at: Position; readonly name: string; readonly pipeline: Pipeline | undefined }
  | { readonly kind: "break" | "continue" };

/** The templates of one source by name, with the one of the source itself. */
export type Templates = ReadonlyMap<string, readonly Statement[]>;
