import { callFunction, define, sizeOf, times, type TemplateFunction } from "../functions/define.ts";
import type { Command, Operand, Pipeline } from "../syntax/tree.ts";
import { GoMethod, GoObject } from "../values/go-object.ts";
import { isMap, isTrue, member, typeOf } from "../values/kinds.ts";
import { longestList, longestText } from "./limits.ts";
import type { Run } from "./run.ts";
import type { Scope } from "./scope.ts";

/** Result of the previous command in a pipeline, which becomes the last argument. */
type Final = readonly [] | readonly [unknown];

const failed = (run: Run, operand: Operand, problem: string, cause?: unknown) =>
  run.error(operand.at, `executing ${JSON.stringify(run.settings.name)} at <${operand.text}>: ${problem}`, cause);

const fieldOf = (run: Run, operand: Operand, of: unknown, name: string): unknown => {
  if (of === undefined || of === null) throw failed(run, operand, `nil pointer evaluating interface {}.${name}`);
  if (of instanceof GoObject && Object.hasOwn(of.members, name)) return of.members[name];
  if (!isMap(of)) throw failed(run, operand, `can't evaluate field ${name} in type ${typeOf(of)}`);
  const { found, value } = member(of, name);
  if (found || run.settings.missingKey === "default") return value;
  throw failed(run, operand, `map has no entry for key ${JSON.stringify(name)}`);
};

const fieldsOf = (run: Run, operand: Operand, of: unknown, path: readonly string[]): unknown =>
  path.reduce((value, name) => fieldOf(run, operand, value, name), of);

/** The value of an operand that is no function. */
const plainValue = (run: Run, scope: Scope, operand: Exclude<Operand, { readonly kind: "function" }>): unknown => {
  switch (operand.kind) {
    case "dot":
      return scope.dot;
    case "nil":
      return null;
    case "literal":
      return operand.value;
    case "field":
      return fieldsOf(run, operand, scope.dot, operand.path);
    case "variable":
      return fieldsOf(run, operand, scope.get(operand.name), operand.path);
    case "pipeline":
      return pipelineValue(run, scope, operand.pipeline);
    case "chain":
      return fieldsOf(run, operand, operandValue(run, scope, operand.of), operand.path);
  }
};

/** The value of an argument: a function stands for what it gives without arguments. */
const operandValue = (run: Run, scope: Scope, operand: Operand): unknown => {
  run.step(operand.at);
  if (operand.kind !== "function") return plainValue(run, scope, operand);
  return called(run, scope, operand, [], []);
};

/** `and` and `or` look at no argument behind the one that decides. */
const decided = (run: Run, scope: Scope, name: "and" | "or", rest: readonly Operand[], final: Final): unknown => {
  let value: unknown;
  for (const operand of rest) {
    value = operandValue(run, scope, operand);
    if (isTrue(value) === (name === "or")) return value;
  }
  return final.length === 0 ? value : final[0];
};

const isTooLarge = (value: unknown): boolean =>
  typeof value === "string" ? value.length > longestText : Array.isArray(value) && value.length > longestList;

/** Calls a function or method, and returns its result. */
const answered = (run: Run, operand: Operand, known: TemplateFunction, values: readonly unknown[]): unknown => {
  const name = operand.kind === "function" ? operand.name : operand.text;
  let value: unknown;
  try {
    value = callFunction(name, known, values, run.budget);
    run.budget.pay(sizeOf(value));
  } catch (error) {
    throw failed(
      run,
      operand,
      `error calling ${name}: ${error instanceof Error ? error.message : String(error)}`,
      error,
    );
  }
  if (isTooLarge(value)) throw failed(run, operand, `error calling ${name}: the result is too large`);
  return value;
};

const called = (
  run: Run,
  scope: Scope,
  operand: Operand & { readonly kind: "function" },
  rest: readonly Operand[],
  final: Final,
): unknown => {
  const { name } = operand;
  if (name === "and" || name === "or") {
    if (rest.length + final.length === 0) {
      throw failed(run, operand, `wrong number of args for ${name}: want at least 1 got 0`);
    }
    return decided(run, scope, name, rest, final);
  }
  const values = [...rest.map((argument) => operandValue(run, scope, argument)), ...final];
  const known = Object.hasOwn(run.settings.functions, name) ? run.settings.functions[name] : undefined;
  if (known === undefined) throw failed(run, operand, `function ${JSON.stringify(name)} not defined`);
  return answered(run, operand, known, values);
};

/** Number of times that a method looks at every character of its argument. */
const methodWeight = 40;

/** Returns whether an operand can stand for a method. */
const hasPath = (operand: Operand): boolean =>
  operand.kind === "field" || operand.kind === "chain" || operand.kind === "variable";

const commandValue = (run: Run, scope: Scope, { operands: [first, ...rest] }: Command, final: Final): unknown => {
  run.step(first.at);
  if (first.kind === "function") return called(run, scope, first, rest, final);
  if (first.kind === "nil") throw failed(run, first, "nil is not a command");
  const hasArguments = rest.length + final.length > 0;
  const value = hasArguments && !hasPath(first) ? undefined : plainValue(run, scope, first);
  if (value instanceof GoMethod) {
    const values = [...rest.map((argument) => operandValue(run, scope, argument)), ...final];
    return answered(run, first, times(methodWeight, define([value.parameter], value.call)), values);
  }
  if (hasArguments) throw failed(run, first, `can't give argument to non-function ${first.text}`);
  return value;
};

/** The value of a pipeline, without setting its variables. */
export const valueOf = (run: Run, scope: Scope, { commands }: Pipeline): unknown => {
  let final: Final = [];
  for (const command of commands) final = [commandValue(run, scope, command, final)];
  return final[0];
};

/** The value of a pipeline, whose variables are set to it. */
export const pipelineValue = (run: Run, scope: Scope, pipeline: Pipeline): unknown => {
  const value = valueOf(run, scope, pipeline);
  for (const name of pipeline.variables) {
    if (pipeline.assigns) scope.assign(name, value);
    else scope.declare(name, value);
  }
  return value;
};
