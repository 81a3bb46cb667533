import { fakeClock } from "@capstan/testing";
import { expect, it } from "vitest";
import { RateGate, rateKindOf } from "./rate-gate.ts";

it.each([
  ["GET", "reads"],
  ["HEAD", "reads"],
  ["DELETE", "deletes"],
  ["PUT", "writes"],
  ["PATCH", "writes"],
  ["POST", "writes"],
])("counts %s as %s", (method, kind) => {
  expect(rateKindOf(method)).toBe(kind);
});

it("holds a kind of calls for a moment when few are left, and no other kind", async () => {
  const clock = fakeClock();
  const gate = new RateGate(clock);
  gate.note("writes", {
    "x-ms-ratelimit-remaining-subscription-writes": "199",
    "x-ms-ratelimit-remaining-subscription-global-writes": "2",
  });
  expect(() => gate.check("writes")).toThrow(/held for 1 s/);
  gate.check("reads");
  await clock.advance(1000);
  gate.check("writes");
});

it("lets calls pass while enough are left", () => {
  const gate = new RateGate(fakeClock());
  gate.note("reads", { "x-ms-ratelimit-remaining-subscription-reads": "3" });
  gate.note("reads", {});
  gate.check("reads");
});

it("holds as long as a refusal says", async () => {
  const clock = fakeClock();
  const gate = new RateGate(clock);
  gate.hold("deletes", 7000);
  gate.hold("deletes", 1000);
  await clock.advance(6999);
  expect(() => gate.check("deletes")).toThrow(expect.objectContaining({ retry: { kind: "after", ms: 1 } }));
});
