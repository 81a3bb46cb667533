import { describe, expect, it } from "vitest";
import { bucketLimiter, windowLimiter } from "./rate-limit.ts";
import { Throttle } from "./throttle.ts";

const call = (family: string, caller = "me") => ({ family, caller, path: "/" });

const limiter = () =>
  windowLimiter([
    { family: "POST servers", limit: 2, windowMs: 10_000 },
    { family: "GET *", limit: 3, windowMs: 60_000 },
  ]);

describe("windowLimiter", () => {
  it("counts down in a window, then says when to come again", () => {
    const limits = limiter();
    expect(limits.take(call("POST servers"), 21_000)).toEqual({ allowed: true, limit: 2, remaining: 1, resetAt: 30 });
    expect(limits.take(call("POST servers"), 22_000)).toMatchObject({ allowed: true, remaining: 0 });
    expect(limits.take(call("POST servers"), 22_500)).toEqual({
      allowed: false,
      limit: 2,
      remaining: 0,
      resetAt: 30,
      retryAfterSeconds: 8,
    });
    expect(limits.take(call("POST servers"), 30_000)).toMatchObject({ allowed: true, remaining: 1 });
  });

  it("counts callers and rules by themselves, and what no rule names not at all", () => {
    const limits = limiter();
    limits.take(call("POST servers"), 0);
    expect(limits.take(call("POST servers", "you"), 0)).toMatchObject({ remaining: 1 });
    expect(limits.take(call("GET servers"), 0)).toMatchObject({ limit: 3, remaining: 2 });
    expect(limits.take(call("GET servers/*"), 0)).toMatchObject({ limit: 3, remaining: 1 });
    expect(limits.take(call("PUT servers/*"), 0)).toBeUndefined();
  });
});

describe("bucketLimiter", () => {
  it("lets a burst pass, then so many a second", () => {
    const limits = bucketLimiter([{ family: "*", burst: 2, perSecond: 0.5 }]);
    expect(limits.take(call("GET a"), 0)).toMatchObject({ allowed: true, limit: 2, remaining: 1, resetAt: 2 });
    expect(limits.take(call("GET b"), 0)).toMatchObject({ allowed: true, remaining: 0 });
    expect(limits.take(call("GET b"), 500)).toMatchObject({ allowed: false, remaining: 0, retryAfterSeconds: 2 });
    expect(limits.take(call("GET b"), 2000)).toMatchObject({ allowed: true, remaining: 0 });
    expect(limits.take(call("GET b"), 60_000)).toMatchObject({ allowed: true, remaining: 1 });
  });
});

describe("Throttle", () => {
  it("limits reads, writes and deletes by themselves, until the rates change", () => {
    const throttle = new Throttle();
    expect(throttle.take("GET", 0)).toBeUndefined();
    throttle.set({ readsPerSecond: 1, deletesPerSecond: 0.25 });
    expect(throttle.take("GET", 0)).toBeUndefined();
    expect(throttle.take("HEAD", 0)).toMatchObject({ status: 429, headers: { "retry-after": "1" } });
    expect(throttle.take("PATCH", 0)).toBeUndefined();
    expect(throttle.take("DELETE", 0)).toBeUndefined();
    expect(throttle.take("DELETE", 1000)).toMatchObject({ headers: { "retry-after": "3" } });
    throttle.set({});
    expect(throttle.take("HEAD", 0)).toBeUndefined();
  });
});
