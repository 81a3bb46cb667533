import type { JinjaArgument, JinjaExpression, JinjaOperation, JinjaStep } from "@capstan/kit/bootstrap";
import { own } from "@capstan/schema";
import type { Given } from "./arguments.ts";
import type { Budget } from "./budget.ts";
import { filters, tests } from "./filters.ts";
import { callFunction, callMethod } from "./methods.ts";
import { isComparison, operated, related } from "./operators.ts";
import type { Scope } from "./scope.ts";
import { isList, isMap, isTrue, Missing, numberOf, shown, sizeOf, type Value } from "./value.ts";

/** Context of an evaluation: the variables, the remaining budget and the depth. */
export interface Frame {
  readonly scope: Scope;
  readonly budget: Budget;
  readonly depth: number;
}

/** Expressions in expressions. */
const deepest = 100;

/** The value of an expression. Throws what Jinja would drop the document for, and what is not modelled. */
export const evaluate = (expression: JinjaExpression, frame: Frame): Value => {
  frame.budget.pay(0);
  if (frame.depth > deepest) throw new Error("its expressions are nested too deep");
  const inner = { ...frame, depth: frame.depth + 1 };
  switch (expression.kind) {
    case "text":
      return expression.text;
    case "number":
      return Number(expression.text.replaceAll("_", ""));
    case "name":
      return frame.scope.get(expression.text);
    case "list":
      return paid(
        expression.items.map((item) => evaluate(item, inner)),
        frame,
      );
    case "map":
      return paid(
        new Map(expression.pairs.map(([key, value]) => [shown(evaluate(key, inner)), evaluate(value, inner)])),
        frame,
      );
    case "steps":
      return stepped(expression.of, expression.steps, inner);
    case "signs":
      return signed(expression.signs, evaluate(expression.of, inner));
    case "chain":
      return chained(expression.first, expression.rest, inner);
    default: {
      const choice = expression.choices.find(({ condition }) => isTrue(evaluate(condition, inner)));
      if (choice !== undefined) return evaluate(choice.value, inner);
      return expression.otherwise === undefined ? "" : evaluate(expression.otherwise, inner);
    }
  }
};

const paid = (value: Value, { budget }: Frame): Value => {
  budget.pay(sizeOf(value));
  return value;
};

const signed = (signs: readonly string[], value: Value): Value =>
  signs.toReversed().reduce<Value>((of, sign) => {
    if (sign === "not") return !isTrue(of);
    return numberOf(of, "what has a sign") * (sign === "-" ? -1 : 1);
  }, value);

const chained = (first: JinjaExpression, rest: readonly JinjaOperation[], frame: Frame): Value => {
  let value = evaluate(first, frame);
  const operators = new Set(rest.map(({ operator }) => operator));
  if (operators.has("and") || operators.has("or")) {
    for (const { operand } of rest) {
      if (isTrue(value) === operators.has("or")) return value;
      value = evaluate(operand, frame);
    }
    return value;
  }
  if (!isComparison(rest[0]?.operator ?? "")) {
    for (const { operand, operator } of rest) {
      value = paid(operated(operator, value, evaluate(operand, frame), frame.budget), frame);
    }
    return value;
  }
  for (const { operand, operator } of rest) {
    const next = evaluate(operand, frame);
    frame.budget.pay(sizeOf(value) + sizeOf(next));
    if (!related(operator, value, next)) return false;
    value = next;
  }
  return true;
};

const given = (listed: readonly JinjaArgument[], frame: Frame): Given => {
  if (listed.some(({ name }) => name?.startsWith("*") === true)) {
    throw new Error("arguments behind * are not modelled");
  }
  const named = listed.flatMap(({ name, value }) =>
    name === undefined ? [] : [[name, evaluate(value, frame)] as const],
  );
  const positional = listed.flatMap(({ name, value }) => (name === undefined ? [evaluate(value, frame)] : []));
  return { named: new Map(named), positional, budget: frame.budget };
};

const stepped = (of: JinjaExpression, steps: readonly JinjaStep[], frame: Frame): Value => {
  const [next] = steps;
  const isFunction = of.kind === "name" && next?.kind === "call";
  let value = isFunction ? paid(callFunction(of.text, given(next.arguments, frame)), frame) : evaluate(of, frame);
  for (let index = isFunction ? 1 : 0; index < steps.length; index += 1) {
    const step = steps[index] as JinjaStep;
    const behind = steps[index + 1];
    frame.budget.pay(0);
    if (step.kind === "member" && behind?.kind === "call") {
      frame.budget.pay(sizeOf(value));
      value = paid(callMethod(value, step.name, given(behind.arguments, frame)), frame);
      index += 1;
    } else value = stepOf(value, step, frame);
  }
  return value;
};

const stepOf = (value: Value, step: JinjaStep, frame: Frame): Value => {
  switch (step.kind) {
    case "member":
      return memberOf(value, step.name);
    case "item":
      return itemOf(value, evaluate(step.key, frame));
    case "slice":
      return paid(
        sliceOf(
          value,
          step.bounds.map((bound) => bound && evaluate(bound, frame)),
        ),
        frame,
      );
    case "call":
      throw new Error(`${shown(value).slice(0, 40)} cannot be called`);
    case "filter":
      return filteredBy(value, step, frame);
    default: {
      const test = own(tests, step.name);
      if (test === undefined) throw new Error(`the test ${step.name} is not modelled`);
      frame.budget.pay(sizeOf(value));
      return test(value, given(step.arguments, frame).positional) !== step.negated;
    }
  }
};

/** The value behind a filter. */
export const filteredBy = (value: Value, step: JinjaStep & { readonly kind: "filter" }, frame: Frame): Value => {
  const filter = own(filters, step.name);
  if (filter === undefined) throw new Error(`the filter ${step.name} is not modelled`);
  frame.budget.pay(sizeOf(value));
  return paid(filter(value, given(step.arguments, frame)), frame);
};

const memberOf = (of: Value, name: string): Value => {
  if (of instanceof Missing) throw new Error(`'${of.name}' is undefined`);
  if (isMap(of)) return of.get(name) ?? new Missing(name);
  return isList(of) && /^\d+$/.test(name) ? itemOf(of, Number(name)) : new Missing(name);
};

const itemOf = (of: Value, key: Value): Value => {
  if (typeof key !== "number") return memberOf(of, shown(key));
  const item = isList(of) ? of.at(key) : typeof of === "string" ? of.at(key) : undefined;
  return item ?? memberOf(of, shown(key));
};

const boundOf = (value: Value | undefined): number | undefined =>
  value === undefined || value === null ? undefined : numberOf(value, "a bound");

const sliceOf = (of: Value, [from, to, by]: readonly (Value | undefined)[]): Value => {
  if ((boundOf(by) ?? 1) !== 1) throw new Error("slices with a step are not modelled");
  if (typeof of !== "string" && !isList(of)) throw new Error(`${shown(of)} has no parts`);
  return of.slice(boundOf(from), boundOf(to));
};
