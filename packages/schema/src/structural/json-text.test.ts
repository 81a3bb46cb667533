import { describe, expect, it } from "vitest";
import { jsonText, parseJson } from "./json-text.ts";
import { validate } from "./validate.ts";

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

  it("refuse what is no JSON", () => {
    expect(() => parseJson('{"a":9007199254740993')).toThrow(SyntaxError);
  });
});

describe("validate", () => {
  it("refuses a number that has lost digits as a 64-bit integer", () => {
    expect(validate({ type: "integer", format: "int64" }, 2 ** 63)).toMatchObject([
      { reason: "FieldValueTypeInvalid" },
    ]);
    expect(validate({ type: "integer", format: "int64" }, 2 ** 53 - 1)).toEqual([]);
  });

  it.each([
    [{ type: "integer", format: "int64" }, []],
    [{ type: "number" }, []],
    [{ "x-kubernetes-int-or-string": true }, []],
    [{ type: "integer", multipleOf: 3 }, []],
    [{ type: "integer", multipleOf: 2 }, ["FieldValueInvalid"]],
    [{ type: "integer", format: "int32" }, ["FieldValueTypeInvalid"]],
    [{ type: "integer", maximum: 5 }, ["FieldValueInvalid"]],
    [{ type: "string" }, ["FieldValueTypeInvalid"]],
    [{ type: "integer", enum: [9007199254740993n, 4] }, []],
    [{ type: "integer", enum: [3, 4] }, ["FieldValueNotSupported"]],
  ] as const)("judges a 64-bit integer, schema %#", (schema, reasons) => {
    expect(validate(schema, 9007199254740993n).map(({ reason }) => reason)).toEqual(reasons);
  });
});
