import { describe, expect, it } from "vitest";
import { parseFieldSelector, selectionOf } from "./selectors.ts";

describe("label selectors", () => {
  const definition = { namespaced: true, selectableFields: {} };

  it("select by the labels of the object", () => {
    const { select } = selectionOf(definition, { labelSelector: "app=web,tier in (front)" });
    const labelled = (labels: Readonly<Record<string, string>>) => ({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { labels },
    });
    expect(select?.(labelled({ app: "web", tier: "front" }))).toBe(true);
    expect(select?.(labelled({ app: "web" }))).toBe(false);
  });

  it("are refused when they cannot be read", () => {
    expect(() => selectionOf(definition, { labelSelector: "a in b" })).toThrow(
      expect.objectContaining({ reason: "BadRequest" }),
    );
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
