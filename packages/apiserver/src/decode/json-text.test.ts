import { jsonText } from "@capstan/schema/structural";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJsonText } from "./json-text.ts";

describe("parseJsonText", () => {
  it("parses any JSON and finds no repeated member in it", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const { value, duplicates } = parseJsonText(text);
        expect(JSON.parse(jsonText(value))).toEqual(JSON.parse(text));
        expect(duplicates).toEqual([]);
      }),
      { seed: 16 },
    );
  });

  it.each([
    ['{"a":1,"a":2}', ["a"]],
    ['{"a":{"b":1,"b":2},"c":[{"d":1},{"d":1,"d":2}]}', ["a.b", "c[1].d"]],
    ['{ "a" : "x:\\"}{," , "b" : [ 1 , -2.5e3 , true , null ] , "a" : { } }', ["a"]],
    ['{"\\u0061":1,"a":2}', ["a"]],
    ['{"a":{"x":1},"b":{"x":1}}', []],
    ['{"a":"\\\\","b":"\\\\\\"","c":":"}', []],
  ])("finds the repeated members of %s", (text, duplicates) => {
    expect(parseJsonText(text).duplicates).toEqual(duplicates);
  });

  it.each([
    ['{"a":2.0,"b":[1,{"c":1e3}],"d":"x,2.0,y","e":1.5,"f":20e-1}', [["a"], ["b", 1, "c"], ["f"]]],
    ['{"a":"v1.2.3","b":-0.5}', []],
    ["[ 2.00 ]", [[0]]],
  ])("finds the whole numbers of %s that are not written as such", (text, decimals) => {
    expect(parseJsonText(text).decimals ?? []).toEqual(decimals);
  });

  it("keeps odd keys as members", () => {
    const { value } = parseJsonText('{"__proto__":{"polluted":true},"constructor":1}');
    expect(Object.keys(value as object)).toEqual(["__proto__", "constructor"]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("refuses what is broken or nested too deeply", () => {
    for (const text of ["", "{", "[1,]", "{a:1}", `${"[".repeat(2_000)}${"]".repeat(2_000)}`]) {
      expect(() => parseJsonText(text)).toThrow(expect.objectContaining({ reason: "BadRequest" }));
    }
  });
});
