import { expect, it } from "vitest";
import { embeddedPayload } from "./embedded-payload.ts";

const request = { id: 1, method: "ping" };
const put = (customRequestPayload: string, dotPath: string) => {
  const found = embeddedPayload(request, { customRequestPayload, dotPath });
  return "body" in found ? (JSON.parse(found.body) as unknown) : found.problem;
};

it.each([
  ["", "a.b", request],
  ['{"a":1}', "", request],
  ['{"object":{"data":{},"keep":2}}', "object.data", { object: { data: request, keep: 2 } }],
  ['{"a":1}', "b.c", { a: 1, b: { c: request } }],
  ['{"list":[{"x":1},{}]}', "list.1", { list: [{ x: 1 }, request] }],
  ["{}", "a~1b", { "a.b": request }],
  ["{", "a", expect.stringContaining("customRequestPayload: not valid JSON")],
  ["7", "a", expect.stringContaining("must be a JSON object or array")],
  ['{"a":1}', "a.b", expect.stringContaining('dotPath: "a"')],
  ['{"list":[]}', "list.0", expect.stringContaining('dotPath: customRequestPayload has no place "0"')],
  ["{}", "__proto__.a", expect.stringContaining("dotPath: customRequestPayload has no place")],
])("%s at %j", (payload, path, expected) => {
  expect(put(payload, path)).toEqual(expected);
});
