import { expect, it } from "vitest";
import { isJsonObject } from "./json-object.ts";

it.each([
  [{}, true],
  [{ a: null }, true],
  [[], false],
  [null, false],
  [undefined, false],
  ["{}", false],
])("%j is an object: %s", (value, expected) => {
  expect(isJsonObject(value)).toBe(expected);
});
