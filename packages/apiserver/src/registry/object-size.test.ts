import type { StructuralSchema } from "@capstan/schema";
import { expect, it } from "vitest";
import { weightOf } from "./object-size.ts";

const atomic: StructuralSchema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: { lines: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "atomic" } },
    },
  },
};
const withLines = (count: number) => ({
  metadata: { name: "o" },
  spec: { lines: Array.from({ length: count }, () => "") },
});

it.each([
  [1_000, "light"],
  [5_000, "large"],
  [13_000, "long"],
])("counts the items of lists that belong to one owner as a whole: %i", (count, weight) => {
  expect(weightOf(atomic, withLines(count))).toBe(weight);
});
