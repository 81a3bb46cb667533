import { expect, it } from "vitest";
import { byText } from "./text-order.ts";

it("sorts by code units", () => {
  expect(["b", "a", "B", "a", "ä", ""].toSorted(byText)).toEqual(["", "B", "a", "a", "b", "ä"]);
  expect(byText("a", "a")).toBe(0);
});
