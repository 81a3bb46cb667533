import { expect, it } from "vitest";
import { SetRetries } from "./set-retries.ts";

const pause = 300_000;

it("tries again five minutes after a failure was seen, and then after five more", () => {
  const retries = new SetRetries();
  expect(retries.waitMs("a", 0)).toBe(pause);
  expect(retries.waitMs("a", pause - 1)).toBe(1);
  expect(retries.waitMs("b", pause)).toBe(pause);
  expect(retries.waitMs("a", pause)).toBe(0);
  expect(retries.waitMs("a", pause + 1)).toBe(pause - 1);
});

it("begins anew when all was well in between", () => {
  const retries = new SetRetries();
  retries.waitMs("a", 0);
  retries.forget("a");
  expect(retries.waitMs("a", pause)).toBe(pause);
});
