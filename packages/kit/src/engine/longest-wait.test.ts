import { CapstanError } from "@capstan/contract";
import type { Retry } from "@capstan/contract";
import { expect, it } from "vitest";
import { withBoundedWait } from "./longest-wait.ts";

const failure = (retry: Retry) =>
  new CapstanError({ code: "a.b", reason: "R", message: "busy", details: { x: 1 }, retry });

it.each<[string, Retry]>([
  ["ten minutes", { kind: "after", ms: 600_000 }],
  ["backoff", { kind: "backoff" }],
  ["never", { kind: "never" }],
])("leaves %s as it is", (_case, retry) => {
  const error = failure(retry);
  expect(withBoundedWait(error)).toBe(error);
});

it.each([
  [601_000, "wait 10 min"],
  [3_600_000, "wait 60 min"],
  [86_400_000, "wait 24 h"],
  [Number.POSITIVE_INFINITY, "wait forever"],
  [Number.NaN, "wait forever"],
])("bounds %d ms, and says so", (ms, said) => {
  const error = failure({ kind: "after", ms });
  expect(withBoundedWait(error)).toMatchObject({
    code: "a.b",
    reason: "R",
    details: { x: 1 },
    message: `busy; it asks to ${said}; retrying after 10 min`,
    retry: { kind: "after", ms: 600_000 },
    cause: error,
  });
});

it("passes on what is not an error of ours", () => {
  expect(withBoundedWait("x")).toBe("x");
});
