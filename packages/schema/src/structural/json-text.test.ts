import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { jsonText, parseJson } from "./json-text.ts";
import { validate } from "./validate.ts";
import type { StructuralSchema } from "./structural-schema.ts";

describe("parseJson and jsonText", () => {
  it.each([
    '{"a":9007199254740993,"b":[-9223372036854775808,9223372036854775807],"c":1}',
    '{"a":"12345678901234567890","b":1234567890.1234567}',
    '{"__proto__":{"big":9007199254740993}}',
    "9007199254740993",
  ])("keep %s", (text) => {
    expect(jsonText(parseJson(text))).toBe(text);
  });

  it("read numbers that no 64-bit integer can hold as floating point", () => {
    expect(parseJson("[18446744073709551616, 12345678901234567e3, 1.0]")).toEqual([2 ** 64, 12345678901234567e3, 1]);
  });

  it("do not work out integers that are too long to be exact, which takes long for millions of digits", () => {
    const worked = vi.spyOn(globalThis, "BigInt");
    try {
      expect(parseJson(`[${"9".repeat(400)}, -1180591620717411303424]`)).toEqual([Infinity, -(2 ** 70)]);
      expect(worked).not.toHaveBeenCalled();
      expect(parseJson("[-9223372036854775808]")).toEqual([-(2n ** 63n)]);
    } finally {
      worked.mockRestore();
    }
  });

  it("read the names of everybody's fields as they are written, whatever somebody has sent before", () => {
    const name = 'k:{"port":80,"protocol":"TCP"}';
    const text = JSON.stringify({ "f:ports": { ".": {}, [name]: { "f:port": {} } } });
    // What V8 would take the name for: as many characters as it has, of what it is written as.
    const sly = JSON.stringify(name).slice(1, 1 + name.length);
    parseJson(JSON.stringify({ "f:ports": { ".": {}, [sly]: { "f:port": {} } } }));
    expect(jsonText(parseJson(text))).toBe(text);
  });

  it("keep every name and value", () => {
    const name = fc.constantFrom('"', '\\"', "\\", '"]', "\n", "\\u", "a", "b\\", "__proto__", ":", '{"x":1}');
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        fc.oneof(name, fc.integer(), fc.boolean(), fc.constant(null), fc.bigInt({ min: 2n ** 60n, max: 2n ** 62n })),
        fc.array(tie("value"), { maxLength: 3 }),
        // Names that no other test has: V8 remembers them.
        fc.dictionary(name, tie("value"), { maxKeys: 3 }).map((members) => ({ "json-text.test": 1, ...members })),
      ),
    }));
    fc.assert(
      fc.property(value, fc.constantFrom(" ", ""), (given, space) => {
        const text = jsonText(given);
        const spaced = space + (text.startsWith("{") ? text.replace("{", `{${space}`) : text) + space;
        expect(jsonText(parseJson(spaced))).toBe(text);
      }),
      { numRuns: 2000, seed: 40 },
    );
  });

  it("refuse what is not JSON", () => {
    expect(() => parseJson('{"a":9007199254740993')).toThrow(SyntaxError);
  });
});

describe("validate", () => {
  it("refuses a number that has lost digits as a 64-bit integer", () => {
    expect(validate({ type: "integer", format: "int64" }, 2 ** 63)).toMatchObject([
      { reason: "FieldValueInvalid", field: "<nil>" },
    ]);
    expect(validate({ type: "integer", format: "int64" }, 2 ** 53 - 1)).toEqual([]);
  });

  it.each([
    [{ type: "integer", format: "int64" }, []],
    [{ type: "number" }, []],
    [{ "x-kubernetes-int-or-string": true }, []],
    [{ type: "integer", multipleOf: 3 }, []],
    [{ type: "integer", multipleOf: 2 }, ["FieldValueInvalid"]],
    [{ type: "integer", multipleOf: 9007199254740993n }, []],
    [{ type: "integer", multipleOf: 9007199254740995n }, ["FieldValueInvalid"]],
    [{ type: "integer", multipleOf: 0 }, ["FieldValueInvalid"]],
    [{ type: "integer", format: "int32" }, ["FieldValueInvalid"]],
    [{ type: "integer", maximum: 5 }, ["FieldValueInvalid"]],
    [{ type: "string" }, ["FieldValueTypeInvalid"]],
    [{ type: "integer", enum: [9007199254740993n, 4] }, []],
    [{ type: "integer", enum: [3, 4] }, ["FieldValueNotSupported"]],
  ] as const)("judges a 64-bit integer, schema %#", (schema, reasons) => {
    expect(validate(schema as StructuralSchema, 9007199254740993n).map(({ reason }) => reason)).toEqual(reasons);
  });
});
