import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keyFromText, keyOf, keyText } from "./object-key.ts";

describe("keyOf", () => {
  it.each([
    [{ namespace: "team", name: "a" }, { namespace: "team", name: "a" }, "team/a"],
    [{ name: "node-1" }, { namespace: "", name: "node-1" }, "/node-1"],
    [{}, { namespace: "", name: "" }, "/"],
  ])("of %j", (metadata, key, text) => {
    expect(keyOf({ metadata })).toEqual(key);
    expect(keyText(keyOf({ metadata }))).toBe(text);
  });

  it("has the same text whether the namespace is absent or empty", () => {
    expect(keyText({ name: "node-1" })).toBe(keyText({ namespace: "", name: "node-1" }));
  });
});

describe("keyFromText", () => {
  it("reads what keyText wrote", () => {
    const part = fc.stringMatching(/^[a-z0-9.-]{0,20}$/);
    fc.assert(
      fc.property(part, part, (namespace, name) => {
        expect(keyFromText(keyText({ namespace, name }))).toEqual({ namespace, name });
      }),
    );
  });
});
