import { describe, expect, it } from "vitest";
import { equals, formatType, kubernetesEnvironment } from "../src/index.ts";
import type { CelType, Value } from "../src/index.ts";
import { Checker } from "../src/check/checker.ts";
import { Planner } from "../src/evaluate/planner.ts";
import { Frame } from "../src/evaluate/frame.ts";
import { parse } from "../src/syntax/parser.ts";
import { SyntaxFailure } from "../src/syntax/ast.ts";
import { Failure } from "../src/values/failure.ts";
import { dyn } from "../src/types/cel-type.ts";
import type { SimpleTest } from "./conformance-data.ts";
import { conformanceTests, parsingTests, toType, toValue } from "./conformance-data.ts";
import { skipReason } from "./conformance-skips.ts";

const environment = { ...kubernetesEnvironment, homogeneousLiterals: false };

type Outcome = { readonly value: Value; readonly type: CelType } | { readonly error: string };

const evaluate = (test: SimpleTest): Outcome => {
  const types = new Map((test.typeEnv ?? []).map(({ name, ident }) => [name, toType(ident?.type ?? {}) ?? dyn]));
  const bindings = Object.entries(test.bindings ?? {}).map(([name, { value }]) => [name, toValue(value)] as const);
  for (const [name] of bindings) if (!types.has(name)) types.set(name, dyn);
  try {
    const expression = parse(test.expr);
    const checked = new Checker(environment, types).check(expression);
    if (test.disableCheck !== true && checked.issues.length > 0) return { error: checked.issues[0]!.message };
    const plan = new Planner(checked.notes, [...types.keys()]).plan(expression);
    if (plan.issues.length > 0) return { error: plan.issues[0]!.message };
    if (test.checkOnly === true) return { value: true, type: checked.type };
    const values = new Map(bindings);
    const slots = [...types.keys()].map((name) => values.get(name));
    return { value: plan.step(new Frame([...slots, ...Array(plan.slots)], 1_000_000)), type: checked.type };
  } catch (error) {
    if (error instanceof Failure) return { error: error.message };
    if (error instanceof SyntaxFailure) return { error: error.issue.message };
    throw error;
  }
};

const isSame = (actual: Value, wanted: Value): boolean =>
  typeof actual === typeof wanted && (equals(actual, wanted) || (Number.isNaN(actual) && Number.isNaN(wanted)));

const verify = (test: SimpleTest): void => {
  const outcome = evaluate(test);
  if (test.evalError !== undefined) {
    expect(outcome).toHaveProperty("error");
    return;
  }
  if ("error" in outcome) throw new Error(outcome.error);
  const deduced = test.typedResult?.deducedType;
  if (deduced !== undefined) expect(formatType(outcome.type)).toBe(formatType(toType(deduced)!));
  const result = test.value ?? test.typedResult?.result;
  if (test.checkOnly === true) return;
  const wanted = result === undefined ? true : toValue(result)!;
  if (!isSame(outcome.value, wanted)) expect(outcome.value).toEqual(wanted);
};

const tests = conformanceTests();
const applicable = tests.filter(({ path, test }) => skipReason(path, test) === undefined);

describe("the official CEL conformance suite", () => {
  it("covers everything but the named exceptions", () => {
    expect({ total: tests.length, applicable: applicable.length }).toEqual({ total: 2344, applicable: 1413 });
  });

  for (const { path, test } of applicable) it(`${path}: ${test.expr.slice(0, 80)}`, () => verify(test));
});

/** Tests of cel-go's parser with options switched off or limits lowered, which has no counterpart here. */
const optional = /unsupported syntax|recursion|overwrites accumulator/;

describe("the parser tests of cel-go", () => {
  const cases = parsingTests().filter(({ error }) => !optional.test(error ?? ""));

  it("has the expected number of cases", () => expect(cases).toHaveLength(162));

  it.each(cases)("$expr", ({ expr, valid }) => {
    const attempt = (): unknown => parse(expr);
    if (valid) expect(attempt()).toBeDefined();
    else expect(attempt).toThrow(SyntaxFailure);
  });
});
