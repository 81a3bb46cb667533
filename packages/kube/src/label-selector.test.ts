import { expect, it } from "vitest";
import { matchesLabels } from "./label-selector.ts";

const labels = { app: "web", tier: "front", "x.io/name": "a.b-c" };

it.each([
  ["", true],
  ["app=web", true],
  ["app==web,tier=front", true],
  ["app = web", true],
  ["app=db", false],
  ["app!=db", true],
  ["missing!=x", true],
  ["app in (db, web)", true],
  ["app in (db)", false],
  ["app notin (db,mail),tier", true],
  ["missing notin (x)", true],
  ["missing in (x)", false],
  ["app", true],
  ["!app", false],
  ["!missing", true],
  ["x.io/name=a.b-c", true],
  ["app=", false],
])("%s: %s", (selector, matches) => {
  expect(matchesLabels(selector, labels)).toBe(matches);
});

it("says what it cannot read", () => {
  expect(() => matchesLabels("app in web", labels)).toThrow('"app in web" cannot be read');
});
