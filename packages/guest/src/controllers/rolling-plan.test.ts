import { describe, expect, it } from "vitest";
import { amountOf, rollingPlan, type Part } from "./rolling-plan.ts";

const part = (name: string, replicas: number, available = replicas): Part => ({ name, replicas, available });
const plan = (replicas: number, limits: readonly [number, number], current: Part, ...old: readonly Part[]) =>
  Object.fromEntries(rollingPlan({ replicas, maxSurge: limits[0], maxUnavailable: limits[1], current, old }));

describe("rollingPlan", () => {
  it.each([
    ["begins with the surge", plan(3, [1, 0], part("new", 0), part("old", 3)), { new: 1, old: 3 }],
    ["waits until the new one is available", plan(3, [1, 0], part("new", 1, 0), part("old", 3)), { new: 1, old: 3 }],
    ["takes an old one away then", plan(3, [1, 0], part("new", 1), part("old", 3)), { new: 1, old: 2 }],
    ["goes on with the next", plan(3, [1, 0], part("new", 1), part("old", 2)), { new: 2, old: 2 }],
    ["ends with the new ones alone", plan(3, [1, 0], part("new", 3), part("old", 1)), { new: 3, old: 0 }],
    [
      "takes away first where nothing may be added",
      plan(3, [0, 1], part("new", 0), part("old", 3)),
      { new: 0, old: 2 },
    ],
    ["moves though nothing is allowed", plan(1, [0, 0], part("new", 0), part("old", 1)), { new: 0, old: 0 }],
    ["takes away what is not available", plan(3, [1, 0], part("new", 1, 0), part("old", 3, 1)), { new: 1, old: 3 }],
    [
      "of two old ones the older first",
      plan(4, [1, 1], part("new", 2), part("a", 1), part("b", 2)),
      { new: 2, a: 0, b: 1 },
    ],
    ["follows a smaller number", plan(2, [1, 1], part("new", 5)), { new: 2 }],
    ["follows a larger number", plan(9, [1, 1], part("new", 5)), { new: 9 }],
  ])("%s", (_what, planned, expected) => {
    expect(planned).toEqual(expected);
  });
});

it.each([
  [undefined, 4, "up", 1],
  ["25%", 5, "up", 2],
  ["25%", 5, "down", 1],
  [2, 5, "down", 2],
  ["100%", 5, "down", 5],
] as const)("%s of %i, rounded %s, is %i", (value, replicas, round, expected) => {
  expect(amountOf(value, replicas, round)).toBe(expected);
});
