import type { LabelSelector } from "@capstan/schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compiledSelector } from "./compiled-selector.ts";
import { meetsRequirements, parseLabelRequirements } from "./label-requirements.ts";
import { isEmptySelector, isReadableSelector, selects, selectorText } from "./label-selector.ts";

const expression = (key: string, operator: string, values?: readonly string[]): LabelSelector => ({
  matchExpressions: [{ key, operator, ...(values === undefined ? {} : { values }) }],
});

describe("selects", () => {
  const labels = { app: "web", tier: "front" };
  it.each<[string, LabelSelector | undefined, boolean]>([
    ["no selector", undefined, true],
    ["an empty selector", {}, true],
    ["an equal label", { matchLabels: { app: "web" } }, true],
    ["one label of two that differs", { matchLabels: { app: "web", tier: "back" } }, false],
    ["a label that every JavaScript object has", { matchLabels: { constructor: "web" } }, false],
    ["In with the value", expression("app", "In", ["db", "web"]), true],
    ["In without the value", expression("app", "In", ["db"]), false],
    ["In of an absent key", expression("zone", "In", ["a"]), false],
    ["NotIn without the value", expression("app", "NotIn", ["db"]), true],
    ["NotIn of an absent key", expression("zone", "NotIn", ["a"]), true],
    ["NotIn with the value", expression("app", "NotIn", ["web"]), false],
    ["Exists", expression("app", "Exists"), true],
    ["Exists of an absent key", expression("zone", "Exists"), false],
    ["DoesNotExist", expression("zone", "DoesNotExist"), true],
    ["DoesNotExist of a present key", expression("app", "DoesNotExist"), false],
    ["an unknown operator", expression("app", "Like", ["w"]), false],
    ["an operator that every JavaScript object has", expression("app", "toString"), false],
  ])("%s", (_, selector, expected) => {
    expect(selects(selector, labels)).toBe(expected);
  });
});

describe("selectorText", () => {
  it("writes every operator, sorted by key", () => {
    const selector = {
      matchLabels: { b: "2", a: "1" },
      matchExpressions: [
        { key: "d", operator: "NotIn", values: ["y", "x"] },
        { key: "c", operator: "In", values: ["z"] },
        { key: "f", operator: "DoesNotExist" },
        { key: "e", operator: "Exists" },
      ],
    };
    expect(selectorText(selector)).toBe("a=1,b=2,c in (z),d notin (x,y),e,!f");
    expect(selectorText(undefined)).toBe("");
  });

  const key = fc.constantFrom("a", "b", "c");
  const value = fc.constantFrom("x", "y");
  const labelled = fc.dictionary(key, value);
  const selector = fc.record({
    matchLabels: labelled,
    matchExpressions: fc.array(
      fc.oneof(
        fc.record({ key, operator: fc.constantFrom("In", "NotIn"), values: fc.array(value, { minLength: 1 }) }),
        fc.record({ key, operator: fc.constantFrom("Exists", "DoesNotExist") }),
      ),
    ),
  });

  it("selects the same labels as the selector itself", () => {
    fc.assert(
      fc.property(selector, labelled, (given, labels) => {
        const requirements = parseLabelRequirements(selectorText(given));
        expect(requirements).toBeDefined();
        expect(meetsRequirements(requirements ?? [], labels)).toBe(selects(given, labels));
      }),
    );
  });
});

describe("isEmptySelector", () => {
  it.each<[LabelSelector | undefined, boolean]>([
    [undefined, true],
    [{}, true],
    [{ matchLabels: {}, matchExpressions: [] }, true],
    [{ matchLabels: { a: "b" } }, false],
    [expression("a", "Exists"), false],
  ])("%j: %s", (selector, expected) => {
    expect(isEmptySelector(selector)).toBe(expected);
  });
});

describe("isReadableSelector", () => {
  it.each<[LabelSelector | undefined, boolean]>([
    [undefined, true],
    [expression("a", "In", ["b"]), true],
    [expression("a", "In"), false],
    [expression("a", "NotIn", []), false],
    [expression("a", "Exists"), true],
    [expression("a", "DoesNotExist", ["b"]), false],
    [expression("a", "Like", ["b"]), false],
  ])("%j: %s", (selector, expected) => {
    expect(isReadableSelector(selector)).toBe(expected);
  });
});

describe("long selectors", () => {
  const word = fc.constantFrom("a", "b", "c", "d");
  const operator = fc.constantFrom("In", "NotIn", "Exists", "DoesNotExist", "NoSuch");
  const expression = fc.record({ key: word, operator, values: fc.array(word, { maxLength: 4 }) });
  const selector = fc.record(
    { matchLabels: fc.dictionary(word, word), matchExpressions: fc.array(expression, { maxLength: 4 }) },
    { requiredKeys: [] },
  );

  it("select what they select one requirement after the other", () => {
    fc.assert(
      fc.property(selector, fc.dictionary(word, word), (short, labels) => {
        expect(compiledSelector(short)(labels)).toBe(selects(short, labels));
      }),
      { seed: 1, numRuns: 2_000 },
    );
  });

  it("are read once, however many objects are asked", () => {
    let reads = 0;
    const matchExpressions = Array.from({ length: 30_000 }, (_, index) => ({
      key: `k${index}`,
      operator: "DoesNotExist",
    }));
    const long = {
      get matchExpressions() {
        reads += 1;
        return matchExpressions;
      },
    };
    const selected = Array.from({ length: 2_000 }, (_, index) => selects(long, { [`k${index * 20}`]: "v" }));
    expect(selected.filter((each) => each)).toHaveLength(500);
    expect(reads).toBeLessThan(5);
  });
});
