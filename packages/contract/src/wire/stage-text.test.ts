import { expect, it } from "vitest";
import { aggregate } from "./condition-summary.ts";
import { stageSince, stageText, withoutStageTimes } from "./stage-text.ts";

const since = Date.UTC(2026, 0, 1, 0, 0, 12);
const booting = (begin: number, percent?: number): string =>
  stageText({ name: "booting", since: begin, number: 3, of: 4, percent });

it("can be read again", () => {
  expect(booting(since, 50)).toBe("booting since 2026-01-01T00:00:12Z (step 3 of 4, 50 %)");
  expect(stageSince(`* InfrastructureReady: ${booting(since)}: the instance boots`, "booting")).toBe(since);
  expect(stageSince(booting(since), "powering off")).toBeUndefined();
  expect(stageSince("* Drain not completed yet (started at 2026-01-01T00:00:12Z)", "booting")).toBeUndefined();
});

it("is one line of a summary for all objects in the same stage, whenever they reached it", () => {
  const member = (name: string, message: string) => ({
    kind: "Machine",
    name,
    controlPlane: false,
    condition: { type: "Ready", status: "False", reason: "NotReady", message, lastTransitionTime: "" } as const,
  });
  const target = { type: "MachinesReady", reasons: { True: "Ready", False: "NotReady", Unknown: "ReadyUnknown" } };
  const options = { source: "Ready", target, noneReason: "NoReplicas" };
  const members = [member("a", booting(since)), member("b", booting(since + 9000, 25)), member("c", "no answer")];
  expect(aggregate(members, options).message).toBe("* Machines a, b: booting (step 3 of 4)\n* Machine c: no answer");
  expect(withoutStageTimes(`${booting(since)}\n${booting(since)}`)).toBe(
    "booting (step 3 of 4)\nbooting (step 3 of 4)",
  );
});
