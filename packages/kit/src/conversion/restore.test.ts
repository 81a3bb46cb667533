import { expect, it } from "vitest";
import { restored } from "./restore.ts";

it("finds what was saved of an item that has moved", () => {
  const base = [{ a: "1" }, { a: "2" }, { a: "2" }];
  const saved = [
    { a: "1", more: "x" },
    { a: "2", more: "y" },
    { a: "2", more: "z" },
  ];
  expect(restored(base, [{ a: "2" }, { a: "2" }, { a: "3" }], saved)).toEqual([
    { a: "2", more: "y" },
    { a: "2", more: "y" },
    { a: "3", more: "z" },
  ]);
});

it("does not compare every item with every other", () => {
  let reads = 0;
  const items = (name: string) =>
    Array.from({ length: 500 }, (_, index) => ({
      get a() {
        reads += 1;
        return `${name}-${index}`;
      },
    }));
  restored(items("base"), items("live"), items("saved"));
  expect(reads).toBeLessThan(500 * 20);
});
