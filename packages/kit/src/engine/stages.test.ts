import type { KubeObject } from "@capstan/schema";
import { expect, it } from "vitest";
import { StageTimes } from "./stages.ts";

const stages = [
  { name: "making disks", reasons: ["CreateDisk", "DiskNotReady"] },
  { name: "booting", reasons: ["Boot", "Booting"] },
];

const machine = (reason = "Creating", message = "", uid = "u"): KubeObject => ({
  apiVersion: "x/v1",
  kind: "AcmeMachine",
  metadata: { namespace: "n", name: "m", uid },
  status: {
    conditions: [{ type: "Ready", status: "False", reason, message, lastTransitionTime: "2026-01-01T00:00:00Z" }],
  },
});

const at = (second: number): number => Date.UTC(2026, 0, 1, 0, 0, second);
const statement = (reason: string, message = "") => ({ reason, message });

it("reports which stage it is and when it began, until the next one begins", () => {
  const times = new StageTimes();
  const say = (reason: string, second: number) => times.message(machine(), stages, statement(reason), at(second));
  expect(say("CreateDisk", 1)).toBe("making disks since 2026-01-01T00:00:01Z (step 1 of 2)");
  expect(say("DiskNotReady", 9)).toBe("making disks since 2026-01-01T00:00:01Z (step 1 of 2)");
  expect(say("Booting", 12)).toBe("booting since 2026-01-01T00:00:12Z (step 2 of 2)");
});

it("leaves what is not a stage alone, which ends none", () => {
  const times = new StageTimes();
  const first = times.message(machine(), stages, statement("Booting", "m"), at(1));
  expect(times.message(machine(), stages, statement("Unavailable", "no answer"), at(2))).toBe("no answer");
  expect(times.message(machine(), stages, statement("Booting", "m"), at(3))).toBe(first);
});

it("goes on from what the object tells after a restart", () => {
  const message = "booting since 2026-01-01T00:00:12Z (step 2 of 2)";
  const after = (object: KubeObject, reason: string) =>
    new StageTimes().message(object, stages, statement(reason), at(40));
  expect(after(machine("Boot", message), "Booting")).toBe(message);
  expect(after(machine("Boot", message), "CreateDisk")).toContain("since 2026-01-01T00:00:40Z (step 1 of 2)");
  // A reason may belong to stages of making and of removal; the message says which it was.
  expect(after(machine("Boot", message.replace("booting", "clearing")), "Booting")).toContain("00:00:40Z");
  expect(after(machine("Booting", "by hand"), "Booting")).toContain("since 2026-01-01T00:00:40Z");
});

it("begins anew when the work was over, and for another object of the same name", () => {
  const times = new StageTimes();
  const say = (object: KubeObject, second: number) => times.message(object, stages, statement("Booting"), at(second));
  say(machine(), 1);
  expect(say(machine("Creating", "", "other"), 5)).toContain("00:00:05Z");
  times.forget({ namespace: "n", name: "m" });
  expect(say(machine(), 9)).toContain("00:00:09Z");
});

it.each([
  [0, "0 %"],
  [24.9, "0 %"],
  [60, "50 %"],
  [100, "100 %"],
])("reports %s percent as %s", (percent, expected) => {
  const said = new StageTimes().message(machine(), stages, { reason: "Boot", message: "m", percent }, at(1));
  expect(said).toBe(`booting since 2026-01-01T00:00:01Z (step 2 of 2, ${expected}): m`);
});

it("takes the begin that the outside world knows", () => {
  const given = { reason: "Boot", message: "", startedAt: at(3) };
  expect(new StageTimes().message(machine(), stages, given, at(30))).toContain("since 2026-01-01T00:00:03Z");
});
