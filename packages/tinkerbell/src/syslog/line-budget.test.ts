import { fakeClock } from "@capstan/testing";
import { expect, it } from "vitest";
import { LineBudget } from "./line-budget.ts";

it("takes so many lines of a machine, and says how many it left out once there is room", async () => {
  const clock = fakeClock();
  const budget = new LineBudget(clock);
  const taken = Array.from({ length: 600 }, () => budget.take("a")).filter((each) => each !== undefined);
  expect(taken).toHaveLength(500);
  expect(budget.take("b")).toBe(0);
  await clock.advance(1000);
  expect(budget.take("a")).toBe(100);
  expect(budget.take("a")).toBe(0);
});
