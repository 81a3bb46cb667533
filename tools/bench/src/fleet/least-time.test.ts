import { describe, expect, it } from "vitest";
import { leastTimeMs } from "./least-time.ts";

describe("leastTimeMs", () => {
  const bucket = { writes: { burst: 10, perSecond: 5 } };
  const windows = { creations: { calls: 20, windowMs: 15_000 } };

  it.each([
    ["nothing to do", [], 0],
    ["as many as come at once", [{ calls: { writes: 10 }, ms: 1000 }], 1000],
    ["more than come at once", [{ calls: { writes: 15 }, ms: 1000 }], 2000],
    ["a bucket that is filled again meanwhile", [10, 10].map((writes) => ({ calls: { writes }, ms: 4000 })), 8000],
    ["a bucket that is not full again", [10, 10].map((writes) => ({ calls: { writes }, ms: 1000 })), 3000],
  ])("of %s", (_, steps, ms) => expect(leastTimeMs(steps, bucket)).toBe(ms));

  it.each([
    ["all in one window", [20], 0, 0],
    ["in the windows after it", [50], 0, 30_000],
    ["in the rest of a window", [21], 14_000, 1000],
    ["in what is left of it", [15, 10], 0, 15_000],
    ["in later windows", [20, 20], 0, 15_000],
  ])("of windows: %s", (_, creations, startedAt, ms) => {
    const steps = creations.map((count) => ({ calls: { creations: count }, ms: 0 }));
    expect(leastTimeMs(steps, windows, startedAt)).toBe(ms);
  });

  it("waits for the slowest of several limits", () =>
    expect(leastTimeMs([{ calls: { creations: 21, writes: 15 }, ms: 0 }], { ...bucket, ...windows })).toBe(15_000));
});
