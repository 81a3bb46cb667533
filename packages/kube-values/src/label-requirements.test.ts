import { expect, it } from "vitest";
import { meetsRequirements, parseLabelRequirements } from "./label-requirements.ts";

const labels = { app: "web", tier: "front", "x.io/n": "5", "x.io/name": "a.b-c" };

it.each([
  ["", true],
  [" ", true],
  ["app=web", true],
  ["app==web,tier=front", true],
  ["app = web , !gone", true],
  ["app=db", false],
  ["app!=db", true],
  ["app!=web", false],
  ["gone!=x", true],
  ["app=web,tier in (front, back)", true],
  ["app in (db)", false],
  ["app notin (db,mail),tier", true],
  ["gone!=x,gone notin (a,b)", true],
  ["gone in (x)", false],
  ["app", true],
  ["!app", false],
  ["!gone", true],
  ["x.io/name=a.b-c", true],
  ["x.io/n>4,x.io/n<6", true],
  ["x.io/n>5", false],
  ["x.io/n<-1", false],
  ["app>1", false],
  ["constructor", false],
  ["tier in ()", false],
  ["app=", false],
])("%s: %s", (selector, expected) => {
  const requirements = parseLabelRequirements(selector);
  expect(requirements && meetsRequirements(requirements, labels)).toBe(expected);
});

it.each([
  "a b",
  "a in b",
  "app in web",
  "=x",
  "a=b=c",
  "a,,b",
  "a=b,",
  "a in (b",
  "-a",
  "a>x",
  "a=-",
  "!",
  "x..io/a=b",
  "a/b/c",
])("cannot read %s", (selector) => {
  expect(parseLabelRequirements(selector)).toBeUndefined();
});

it("finds nothing in labels that are not there", () => {
  expect(meetsRequirements([{ key: "a", operator: "exists" }])).toBe(false);
  expect(meetsRequirements([{ key: "a", operator: "absent" }])).toBe(true);
});
