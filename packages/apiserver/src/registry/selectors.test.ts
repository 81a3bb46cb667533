import { describe, expect, it } from "vitest";
import { matchesLabels, parseFieldSelector, parseLabelSelector, selectionOf } from "./selectors.ts";

const labels = { app: "web", tier: "front", "x.io/n": "5" };

describe("label selectors", () => {
  it.each([
    ["app=web,tier in (front, back)", true],
    ["app = web , !gone", true],
    ["app!=web", false],
    ["gone!=x,gone notin (a,b)", true],
    ["x.io/n>4,x.io/n<6", true],
    ["x.io/n>5", false],
    ["app>1", false],
    ["constructor", false],
    ["tier in ()", false],
    ["app=", false],
  ])("%s: %s", (selector, expected) => {
    expect(matchesLabels(parseLabelSelector(selector), labels)).toBe(expected);
  });

  it.each(["a b", "a in b", "=x", "a=b=c", "a,,b", "a in (b", "-a", "a>x", "a=-", "!"])("refuses %s", (selector) => {
    expect(() => parseLabelSelector(selector)).toThrow(expect.objectContaining({ reason: "BadRequest" }));
  });
});

describe("field selectors", () => {
  it("reads terms with escapes", () => {
    expect(parseFieldSelector("metadata.name=a\\,b,spec.x!=c\\=d,spec.y==")).toEqual([
      { field: "metadata.name", equal: true, value: "a,b" },
      { field: "spec.x", equal: false, value: "c=d" },
      { field: "spec.y", equal: true, value: "" },
    ]);
  });

  it("knows when only one object can match", () => {
    const definition = { namespaced: true, selectableFields: {} };
    expect(selectionOf(definition, { fieldSelector: "metadata.name=x" }).name).toBe("x");
    expect(selectionOf(definition, { fieldSelector: "metadata.name!=x" }).name).toBeUndefined();
    expect(selectionOf(definition, {})).toEqual({ select: undefined, name: undefined });
  });

  it("refuses unknown fields", () => {
    expect(() => selectionOf({ namespaced: true, selectableFields: {} }, { fieldSelector: "toString=x" })).toThrow(
      "field label not supported: toString",
    );
  });
});
