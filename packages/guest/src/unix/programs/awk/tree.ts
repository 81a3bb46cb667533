/** An expression of awk. */
export type Expression =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "expression"; readonly source: string }
  | { readonly kind: "field"; readonly of: Expression }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "element"; readonly name: string; readonly keys: readonly Expression[] }
  | { readonly kind: "in"; readonly keys: readonly Expression[]; readonly name: string }
  | { readonly kind: "unary"; readonly operator: string; readonly of: Expression }
  | { readonly kind: "binary"; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "assign"; readonly operator: string; readonly target: Expression; readonly value: Expression }
  | { readonly kind: "step"; readonly by: number; readonly isBefore: boolean; readonly target: Expression }
  | { readonly kind: "choice"; readonly test: Expression; readonly yes: Expression; readonly no: Expression }
  | { readonly kind: "call"; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: "getline"; readonly target?: Expression; readonly file?: Expression };

export type Statement =
  | { readonly kind: "expression"; readonly of: Expression }
  | {
      readonly kind: "print";
      readonly isFormatted: boolean;
      readonly values: readonly Expression[];
      readonly to?: { readonly operator: string; readonly file: Expression };
    }
  | { readonly kind: "if"; readonly test: Expression; readonly yes: Statement; readonly no?: Statement }
  | { readonly kind: "while"; readonly test: Expression; readonly body: Statement; readonly isAfter: boolean }
  | {
      readonly kind: "for";
      readonly start?: Statement;
      readonly test?: Expression;
      readonly next?: Statement;
      readonly body: Statement;
    }
  | { readonly kind: "each"; readonly name: string; readonly of: string; readonly body: Statement }
  | { readonly kind: "block"; readonly body: readonly Statement[] }
  | { readonly kind: "delete"; readonly name: string; readonly keys?: readonly Expression[] }
  | {
      readonly kind: "leave";
      readonly how: "next" | "exit" | "break" | "continue" | "return";
      readonly value?: Expression;
    };

export interface Rule {
  /** Absent: every record. */
  readonly from?: Expression;
  /** The record at which a range ends. */
  readonly to?: Expression;
  /** Absent: prints the record. */
  readonly body?: Statement;
}

export interface AwkProgram {
  readonly begin: readonly Statement[];
  readonly end: readonly Statement[];
  readonly rules: readonly Rule[];
  readonly functions: ReadonlyMap<string, { readonly names: readonly string[]; readonly body: Statement }>;
}
