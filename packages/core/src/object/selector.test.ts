import { describe, expect, it } from "vitest";
import type { LabelSelector } from "./selector.ts";
import { isEmptySelector, selects, selectorText } from "./selector.ts";

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
  });
});

describe("isEmptySelector", () => {
  it.each<[LabelSelector | undefined, boolean]>([
    [undefined, true],
    [{}, true],
    [{ matchLabels: {} }, true],
    [{ matchExpressions: [] }, true],
    [{ matchLabels: { a: "b" } }, false],
    [expression("a", "Exists"), false],
  ])("%j: %s", (selector, expected) => {
    expect(isEmptySelector(selector)).toBe(expected);
  });
});
