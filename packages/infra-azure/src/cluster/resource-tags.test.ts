import { expect, it } from "vitest";
import { mergedTags } from "./resource-tags.ts";

it.each([
  [[{ Team: "core" }, { team: "web" }], { team: "web" }],
  [[{ name: "payments", a: "b" }, undefined, { Name: "mp-1" }], { Name: "mp-1", a: "b" }],
])("of tags %j one is left of each name, whatever its letter case", (sources, expected) => {
  expect(mergedTags(...sources)).toEqual(expected);
});
