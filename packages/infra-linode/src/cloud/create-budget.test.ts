import type { RateLimit } from "@capstan/linode-client";
import { describe, expect, it } from "vitest";
import { CreateBudget } from "./create-budget.ts";

const now = 1_000_000;
const limit = (remaining: number, resetAt = now + 10_000): RateLimit => ({
  limit: 3,
  remaining,
  resetAt,
  observedAt: now,
});

const budgetOf = (observed?: RateLimit) => {
  let current = observed;
  const budget = new CreateBudget(() => current);
  return {
    budget,
    observe: (next: RateLimit) => {
      current = next;
    },
  };
};

const refusal = (ms: number): unknown =>
  expect.objectContaining({ code: "linode.rate_limited", retry: { kind: "after", ms } });

describe("CreateBudget", () => {
  it("sends the first creation alone, to learn the limit", () => {
    const { budget, observe } = budgetOf();
    const first = budget.reserve(now);
    expect(() => budget.reserve(now)).toThrow(refusal(1000));
    observe(limit(2));
    first.release();
    budget.reserve(now);
    budget.reserve(now);
    expect(() => budget.reserve(now)).toThrow(refusal(1000));
  });

  it("does without a limit where the API tells none", () => {
    const { budget } = budgetOf();
    budget.reserve(now).release();
    for (let count = 0; count < 50; count += 1) budget.reserve(now);
  });

  it("waits for the next window when all are used", () => {
    const { budget } = budgetOf(limit(0));
    expect(() => budget.reserve(now)).toThrow(refusal(11_000));
  });

  it("sends no more than a window's worth when a new one begins", () => {
    const { budget } = budgetOf(limit(0, now));
    for (let count = 0; count < 3; count += 1) budget.reserve(now);
    expect(() => budget.reserve(now)).toThrow(refusal(1000));
  });

  it("gives room back once, however often it is released", () => {
    const { budget } = budgetOf(limit(1));
    const slot = budget.reserve(now);
    expect(() => budget.reserve(now)).toThrow(refusal(1000));
    slot.release();
    slot.release();
    budget.reserve(now);
    expect(() => budget.reserve(now)).toThrow(refusal(1000));
  });
});
