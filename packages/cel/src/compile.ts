import type { Environment } from "./environment.ts";
import { kubernetesEnvironment } from "./environment.ts";
import { estimateCost } from "./cost/estimate.ts";
import { Frame } from "./evaluate/frame.ts";
import { Planner } from "./evaluate/planner.ts";
import type { Plan } from "./evaluate/planner.ts";
import { parse } from "./syntax/parser.ts";
import type { Expression, Issue } from "./syntax/ast.ts";
import { SyntaxFailure } from "./syntax/ast.ts";
import type { CelType } from "./types/cel-type.ts";
import { Checker } from "./check/checker.ts";
import { fromJson } from "./evaluate/json.ts";
import type { Value } from "./values/value.ts";
import { Failure } from "./values/failure.ts";
import { Optional } from "./values/value.ts";
import type { Budget } from "./budget.ts";
import { callBudget } from "./budget.ts";

/** The most code points an expression may have. */
const maxSource = 100_000;

export interface CompileOptions {
  /** The variables an expression may use, and their types. */
  readonly declarations: Readonly<Record<string, CelType>>;
  /** Default: the functions of Kubernetes. */
  readonly environment?: Environment;
}

/** A mistake in an expression. `message` names the place as `<line>:<column>`. */
export interface CompileError {
  readonly message: string;
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
}

export type Compiled =
  | { readonly ok: true; readonly program: Program }
  | { readonly ok: false; readonly errors: readonly CompileError[] };

export interface EvaluateOptions {
  /** Budget shared with other evaluations. Without it only the limit of one call applies. */
  readonly budget?: Budget;
}

/** `cost` is what the evaluation spent. `budget` errors mean that it was stopped. */
export type Evaluated =
  | { readonly ok: true; readonly value: Value; readonly cost: number }
  | {
      readonly ok: false;
      readonly error: { readonly kind: "evaluation" | "budget"; readonly message: string };
      readonly cost: number;
    };

/** A compiled expression. It holds no state and may be evaluated any number of times. */
export interface Program {
  readonly source: string;
  /** The static type of the result. */
  readonly type: CelType;
  /** The most an evaluation can cost by the bounds of the declared types; `Infinity` if something has no bound. */
  readonly maxCost: number;
  /** Returns whether the expression reads the variable. */
  uses(variable: string): boolean;
  /**
   * `bindings` are JSON or values of the engine, by variable. A missing one is none for a variable of an optional type; another
   * fails when it is read. Throws `PatienceSpent` when it takes more work than the budget has patience for.
   */
  evaluate(bindings: Readonly<Record<string, unknown>>, options?: EvaluateOptions): Evaluated;
}

const locate = (source: string, { message, at }: Issue): CompileError => {
  const before = source.slice(0, at).split("\n");
  const line = before.length;
  const column = Array.from(before.at(-1)!).length + 1;
  return { message: `ERROR: <input>:${line}:${column}: ${message}`, line, column };
};

const run = (
  plan: Plan,
  declarations: readonly (readonly [string, CelType])[],
  bindings: Readonly<Record<string, unknown>>,
  budget: Budget | undefined,
): Evaluated => {
  const limit = Math.min(callBudget, budget?.remaining ?? callBudget);
  const frame = new Frame(Array<Value | undefined>(plan.slots).fill(undefined), limit, budget?.patience ?? Infinity);
  const spent = (): number => {
    const cost = limit - frame.remaining;
    if (budget !== undefined) {
      budget.remaining -= cost;
      budget.patience = frame.patience;
    }
    return cost;
  };
  try {
    for (const [slot, [name, type]] of declarations.entries()) {
      if (bindings[name] !== undefined) frame.slots[slot] = fromJson(type, bindings[name]);
      else if (type.kind === "optional") frame.slots[slot] = Optional.none;
    }
    const value = plan.step(frame);
    return { ok: true, value, cost: spent() };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { ok: false, error: { kind: error.kind, message: error.message }, cost: spent() };
  }
};

const parseSource = (source: string): Expression | Issue => {
  if (source.length > maxSource) return { message: `expression exceeds ${maxSource} characters`, at: 0 };
  try {
    return parse(source);
  } catch (error) {
    if (!(error instanceof SyntaxFailure)) throw error;
    return error.issue;
  }
};

/**
 * Parses and checks an expression and makes it ready to run. Mistakes are values: syntax, unknown names and fields,
 * types that do not fit, and literal patterns that are not RE2.
 */
export const compile = (source: string, options: CompileOptions): Compiled => {
  const failed = (issues: readonly Issue[]): Compiled => ({
    ok: false,
    errors: issues.map((issue) => locate(source, issue)),
  });
  const expression = parseSource(source);
  if (!("kind" in expression)) return failed([expression]);
  const declarations = Object.entries(options.declarations);
  const checker = new Checker(options.environment ?? kubernetesEnvironment, new Map(declarations));
  const checked = checker.check(expression);
  if (checked.issues.length > 0) return failed(checked.issues);
  const names = declarations.map(([name]) => name);
  const plan = new Planner(checked.notes, names).plan(expression);
  if (plan.issues.length > 0) return failed(plan.issues);
  const used = new Set(
    [...checked.notes.values()].flatMap(({ reference }) => (reference?.kind === "variable" ? [reference.name] : [])),
  );
  let maxCost: number | undefined;
  const program: Program = {
    source,
    type: checked.type,
    get maxCost() {
      return (maxCost ??= estimateCost(expression, checked.notes, new Map(declarations)));
    },
    uses: (variable) => used.has(variable),
    evaluate: (bindings, { budget } = {}) => run(plan, declarations, bindings, budget),
  };
  return { ok: true, program };
};
