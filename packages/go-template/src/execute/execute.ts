import type { Pipeline, Statement } from "../syntax/tree.ts";
import type { Position } from "../template-error.ts";
import { isList, isMap, isTrue, sortedKeys, typeOf } from "../values/kinds.ts";
import { isInteger, toNumber } from "../values/numbers.ts";
import { show } from "../values/show.ts";
import { pipelineValue, valueOf } from "./evaluate.ts";
import { deepestCall } from "./limits.ts";
import type { Run } from "./run.ts";
import { Scope } from "./scope.ts";

/** Early end of a list of statements; `undefined` when it ran to its end. */
type Jump = "break" | "continue" | undefined;

/** A value as output writes it. */
const written = (value: unknown): string => (value === undefined || value === null ? "<no value>" : show(value));

function* numbersBelow(end: number): Generator<readonly [unknown, unknown]> {
  for (let index = 0; index < end; index += 1) yield [index, index];
}

/** Returns the pairs that `range` iterates over: index or key, and value. */
const pairsOf = (run: Run, at: Position, value: unknown): Iterable<readonly [unknown, unknown]> => {
  if (value === undefined || value === null) return [];
  if (isList(value)) return value.entries();
  if (isInteger(value)) return numbersBelow(toNumber(value));
  if (isMap(value)) {
    run.pay(at, (budget) => budget.pay(10 * Object.keys(value).length));
    return sortedKeys(value).map((key) => [key, value[key]] as const);
  }
  throw run.error(at, `range can't iterate over ${show(value)} of type ${typeOf(value)}`);
};

interface Range {
  readonly pipeline: Pipeline;
  readonly body: readonly Statement[];
  readonly otherwise: readonly Statement[];
  readonly at: Position;
}

const setRangeVariables = (
  scope: Scope,
  { assigns, variables }: Pipeline,
  key: unknown,
  item: unknown,
  counted: boolean,
): void => {
  const values = variables.length === 2 ? [key, item] : [counted ? key : item];
  variables.forEach((name, index) => {
    if (assigns) scope.assign(name, values[index]);
    else scope.declare(name, values[index]);
  });
};

const range = (run: Run, scope: Scope, { at, otherwise, pipeline, body }: Range): Jump => {
  const outer = scope.inside();
  const value = valueOf(run, outer, pipeline);
  let any = false;
  for (const [key, item] of pairsOf(run, at, value)) {
    any = true;
    run.step(at);
    const inner = outer.inside(item);
    setRangeVariables(inner, pipeline, key, item, isInteger(value));
    if (execute(run, inner, body) === "break") break;
  }
  return any ? undefined : execute(run, outer, otherwise);
};

const callTemplate = (
  run: Run,
  scope: Scope,
  { at, name, pipeline }: Statement & { readonly kind: "template" },
): void => {
  const statements = run.settings.templates.get(name);
  if (statements === undefined) throw run.error(at, `template ${JSON.stringify(name)} not defined`);
  if (scope.depth >= deepestCall) throw run.error(at, "templates call one another without end");
  const data = pipeline === undefined ? undefined : pipelineValue(run, scope, pipeline);
  execute(run, Scope.of(data, scope.depth + 1), statements);
};

const branch = (run: Run, scope: Scope, statement: Statement & { readonly kind: "if" | "with" | "range" }): Jump => {
  if (statement.kind === "range") return range(run, scope, statement);
  const inner = scope.inside();
  const value = pipelineValue(run, inner, statement.pipeline);
  if (!isTrue(value)) return execute(run, inner, statement.otherwise);
  return execute(run, statement.kind === "with" ? inner.inside(value) : inner, statement.body);
};

/** Runs statements one after another, until a `break` or `continue`. */
export const execute = (run: Run, scope: Scope, statements: readonly Statement[]): Jump => {
  for (const statement of statements) {
    switch (statement.kind) {
      case "text":
        run.write(statement.text);
        break;
      case "output": {
        run.step(statement.at);
        const value = pipelineValue(run, scope, statement.pipeline);
        if (statement.pipeline.variables.length > 0) break;
        run.pay(statement.at, (budget) => budget.payFor(value));
        run.write(written(value));
        break;
      }
      case "template":
        callTemplate(run, scope, statement);
        break;
      case "break":
      case "continue":
        return statement.kind;
      default: {
        const jump = branch(run, scope, statement);
        if (jump !== undefined) return jump;
      }
    }
  }
  return undefined;
};
