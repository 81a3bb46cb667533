import { expect, it } from "vitest";
import { repeats } from "./repeats.ts";

it("is what was there before", () => {
  expect(repeats(["a", "b", "a", undefined, "b", undefined])).toEqual([false, false, true, false, true, true]);
  expect(repeats([])).toEqual([]);
});
