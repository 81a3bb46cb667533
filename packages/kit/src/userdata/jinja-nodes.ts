/** An expression of Jinja as data. What repeats is a list, so that nothing nests deeper than its brackets. */
export type JinjaExpression =
  | { readonly kind: "text" | "number" | "name"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly JinjaExpression[] }
  | { readonly kind: "map"; readonly pairs: readonly (readonly [JinjaExpression, JinjaExpression])[] }
  /** Steps applied to a value, from left to right. */
  | { readonly kind: "steps"; readonly of: JinjaExpression; readonly steps: readonly JinjaStep[] }
  /** `-`, `+` and `not` before a value, the outermost first. */
  | { readonly kind: "signs"; readonly signs: readonly string[]; readonly of: JinjaExpression }
  /** Operators of one precedence with what stands at their right. */
  | { readonly kind: "chain"; readonly first: JinjaExpression; readonly rest: readonly JinjaOperation[] }
  /** `a if b else c if d else e`; without a last `else` nothing. */
  | { readonly kind: "choice"; readonly choices: readonly JinjaChoice[]; readonly otherwise?: JinjaExpression };

export interface JinjaOperation {
  readonly operator: string;
  readonly operand: JinjaExpression;
}

export interface JinjaChoice {
  readonly value: JinjaExpression;
  readonly condition: JinjaExpression;
}

/** An argument of a call; `name` is `*` or `**` for those that are spread. */
export interface JinjaArgument {
  readonly name?: string;
  readonly value: JinjaExpression;
}

export type JinjaStep =
  | { readonly kind: "member"; readonly name: string }
  | { readonly kind: "item"; readonly key: JinjaExpression }
  /** `[from:to:by]`, each of which may be missing. */
  | { readonly kind: "slice"; readonly bounds: readonly (JinjaExpression | undefined)[] }
  | { readonly kind: "call"; readonly arguments: readonly JinjaArgument[] }
  | { readonly kind: "filter"; readonly name: string; readonly arguments: readonly JinjaArgument[] }
  | {
      readonly kind: "test";
      readonly name: string;
      readonly negated: boolean;
      readonly arguments: readonly JinjaArgument[];
    };

/** A name that gets a value. */
export interface JinjaAssignment {
  readonly name: string;
  readonly value: JinjaExpression;
}

/** Action of a statement. */
export type JinjaAction =
  | { readonly kind: "if" | "elif"; readonly condition: JinjaExpression }
  | { readonly kind: "else" | "end" }
  | {
      readonly kind: "for";
      readonly names: readonly string[];
      readonly of: JinjaExpression;
      readonly condition?: JinjaExpression;
    }
  /** Without a value the names get the text up to the end of the statement, through the filters. */
  | {
      readonly kind: "set";
      readonly names: readonly string[];
      readonly value?: JinjaExpression;
      readonly filters: readonly JinjaStep[];
    }
  | { readonly kind: "filter"; readonly filters: readonly JinjaStep[] }
  | { readonly kind: "with"; readonly assignments: readonly JinjaAssignment[] }
  | { readonly kind: "print"; readonly value: JinjaExpression }
  /** One that a model of cloud-init need not have. */
  | { readonly kind: "other" };
