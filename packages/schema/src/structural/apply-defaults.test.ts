import { describe, expect, it } from "vitest";
import { widget } from "../../test/widget-schema.ts";
import { applyDefaults } from "./apply-defaults.ts";

const filled = { replicas: 1, size: "M", nul: "d", nonnul: "d2", nested: { a: "na" } };
const specOf = (spec: Readonly<Record<string, unknown>>) =>
  (applyDefaults(widget, { spec }) as { readonly spec: Readonly<Record<string, unknown>> }).spec;

describe("applyDefaults", () => {
  it("fills in missing members, also inside of defaults", () => {
    expect(specOf({})).toEqual(filled);
  });

  it.each([
    ["a nullable null", { nul: null }, { ...filled, nul: null }],
    ["a null with a default", { nonnul: null }, filled],
    ["a null without a default", { host: null }, filled],
    ["a null in a map", { gmap: { a: null, b: "c" } }, { ...filled, gmap: { b: "c" } }],
    ["a null in a list", { ports: [null] }, { ...filled, ports: [null] }],
    ["a null deep in preserved content", { blob: { x: { y: null } } }, { ...filled, blob: { x: { y: null } } }],
    ["a missing member of list items", { alist: [{ k: "a" }] }, { ...filled, alist: [{ k: "a", v: "dv" }] }],
    ["a missing member of map values", { omap: { m: {} } }, { ...filled, omap: { m: { a: "x" } } }],
  ])("treats %s as the API server does", (_what, spec, expected) => {
    expect(specOf(spec)).toEqual(expected);
  });

  it("returns the same value when nothing is missing and never hands out the default itself", () => {
    const complete = applyDefaults(widget, { spec: {} });
    expect(applyDefaults(widget, complete)).toBe(complete);
    expect(specOf({})["nested"]).not.toBe(specOf({})["nested"]);
  });

  it("does not take a default from the prototype of the schema's properties", () => {
    const schema = { type: "object", properties: { a: { type: "string" } } } as const;
    expect(applyDefaults(schema, JSON.parse('{"__proto__": null, "constructor": null}'))).toEqual(
      JSON.parse('{"__proto__": null, "constructor": null}'),
    );
  });
});
