import type { KubeObject } from "@capstan/schema";
import { describe, expect, it } from "vitest";
import { aggregate, mirror, summarize } from "./condition-summary.ts";
import type { Condition, ConditionStatus } from "./conditions.ts";
import { conditionOf, conditionsPatch, setCondition, setDeprecatedCondition } from "./conditions.ts";
import { applyPatch } from "../patch/merge-patch.ts";

const noon = Date.UTC(2030, 0, 1, 12);
const condition = (type: string, status: ConditionStatus, message = "", reason = "Because"): Condition => ({
  type,
  status,
  reason,
  message,
  lastTransitionTime: "2029-01-01T00:00:00Z",
});

describe("setCondition", () => {
  it("keeps the time while the status stays, and other writers' conditions", () => {
    const before = [condition("Ready", "False"), condition("Other", "True")];
    const after = setCondition(
      before,
      { type: "Ready", status: "False", reason: "Later", message: "m" },
      { now: noon },
    );
    expect(after).toEqual([{ ...condition("Ready", "False", "m", "Later") }, before[1]]);
  });
  it("changes the time, in whole seconds, with the status", () => {
    const after = setCondition(
      [condition("Ready", "False")],
      { type: "Ready", status: "True", reason: "Ready" },
      { now: noon + 999 },
    );
    expect(after[0]?.lastTransitionTime).toBe("2030-01-01T12:00:00Z");
  });
  it("returns the same list when nothing changes", () => {
    const before = [condition("Ready", "True")];
    expect(setCondition(before, { type: "Ready", status: "True", reason: "Because" }, { now: noon })).toBe(before);
  });
  it.each([
    ["Linode busy.", "Linodebusy"],
    ["400", "NoReasonReported"],
    ["", "NoReasonReported"],
    ["NotReady", "NotReady"],
  ])("makes a word of the reason %j", (reason, word) => {
    const [said] = setCondition([], { type: "Ready", status: "False", reason }, { now: noon });
    expect(said?.reason).toBe(word);
  });
  it("puts Ready first and Paused last", () => {
    const list = ["Paused", "Custom", "Ready"].reduce<readonly Condition[]>(
      (conditions, type) => setCondition(conditions, { type, status: "True", reason: "R" }, { now: noon }),
      [],
    );
    expect(list.map((entry) => entry.type)).toEqual(["Ready", "Custom", "Paused"]);
  });
});

it("gives the older generation a severity only when False", () => {
  const bad = setDeprecatedCondition(
    [],
    { type: "Ready", status: "False", reason: "Broken", message: "m", severity: "Error" },
    { now: noon },
  );
  expect(bad).toEqual([
    {
      type: "Ready",
      status: "False",
      severity: "Error",
      reason: "Broken",
      message: "m",
      lastTransitionTime: "2030-01-01T12:00:00Z",
    },
  ]);
  const good = setDeprecatedCondition(bad, { type: "Ready", status: "True", reason: "Ready" }, { now: noon });
  expect(good).toEqual([{ type: "Ready", status: "True", lastTransitionTime: "2030-01-01T12:00:00Z" }]);
});

describe("conditionsPatch", () => {
  const object: KubeObject = { apiVersion: "x/v1", kind: "X", metadata: { name: "x", generation: 7 } };
  const inputs = [
    { type: "Ready", status: "False", reason: "Waiting", message: "for it" },
    { type: "Paused", status: "False", reason: "NotPaused" },
  ] as const;
  it("writes both generations, Paused only in today's", () => {
    const patched = applyPatch(object, conditionsPatch(object, inputs, { now: noon }));
    expect(conditionOf(patched, "Ready")).toMatchObject({ reason: "Waiting", observedGeneration: 7 });
    expect(patched["status"]).toMatchObject({
      conditions: [{ type: "Ready" }, { type: "Paused" }],
      deprecated: { v1beta1: { conditions: [{ type: "Ready", severity: "Info" }] } },
    });
    expect(conditionsPatch(patched, inputs, { now: noon + 60_000 })).toEqual({});
  });
  it("uses the other paths in the older contract", () => {
    const patched = applyPatch(object, conditionsPatch(object, inputs, { now: noon, contract: "v1beta1" }));
    expect(patched["status"]).toMatchObject({ conditions: [{ severity: "Info" }], v1beta2: { conditions: [{}, {}] } });
  });
});

const holding = (status: unknown): KubeObject => ({ apiVersion: "x/v1", kind: "X", metadata: {}, status });

describe("reading another provider's condition", () => {
  it.each([
    [
      "today's",
      holding({ conditions: [{ type: "Ready", status: "True", reason: "Fine" }] }),
      "v1beta2",
      "True",
      "Fine",
    ],
    ["no reason", holding({ conditions: [{ type: "Ready", status: "True" }] }), "v1beta1", "True", "NoReasonReported"],
    [
      "new ones in the older contract",
      holding({
        conditions: [{ type: "Ready", status: "False" }],
        v1beta2: { conditions: [{ type: "Ready", status: "True", reason: "New" }] },
      }),
      "v1beta1",
      "True",
      "New",
    ],
    [
      "an unknown shape",
      holding({ conditions: [{ type: "Ready", status: 1 }] }),
      "v1beta2",
      "Unknown",
      "InvalidConditionReported",
    ],
  ] as const)("%s", (_case, object, contract, status, reason) => {
    expect(conditionOf(object, "Ready", contract)).toMatchObject({ status, reason });
  });
});

describe("summarize", () => {
  const inputs = [{ type: "Deleting", negative: true }, { type: "A" }, { type: "B", ignoreIfAbsent: true }];
  const fine = condition("Deleting", "False");
  it.each([
    ["all good", [fine, condition("A", "True"), condition("B", "True")], "True", "Ready", ""],
    ["ignored when absent", [fine, condition("A", "True", "note")], "True", "Ready", "* A: note"],
    ["missing", [fine], "Unknown", "ReadyUnknown", "* A: Condition not yet reported"],
    [
      "issues and unknowns, in the order of the inputs",
      [fine, condition("A", "Unknown", "?"), condition("B", "False", "two\nlines")],
      "False",
      "NotReady",
      "* A: ?\n* B:\n  * two\n  * lines",
    ],
    [
      "negative polarity",
      [condition("Deleting", "True", "", "DrainingNode"), condition("A", "True")],
      "False",
      "NotReady",
      "* Deleting: DrainingNode",
    ],
  ] as const)("%s", (_case, conditions, status, reason, message) => {
    expect(summarize(conditions, inputs)).toEqual({ type: "Ready", status, reason, message });
  });
});

it.each([
  [
    condition("Ready", "Unknown", "m"),
    true,
    { status: "Unknown", message: "m", lastTransitionTime: "2029-01-01T00:00:00Z" },
  ],
  [undefined, true, { status: "True", reason: "Ready" }],
  [undefined, false, { status: "False", reason: "NotReady", message: "AcmeMachine status.ready is false" }],
])("mirrors %o, or the flag %s", (source, initialized, expected) => {
  const fallback = { initialized, kind: "AcmeMachine", path: "status.ready" };
  expect(mirror(source, "InfrastructureReady", fallback)).toMatchObject({ type: "InfrastructureReady", ...expected });
});

const member = (name: string, found: Condition | undefined, controlPlane = false) => ({
  kind: "Machine",
  name,
  controlPlane,
  condition: found,
});

describe("aggregate", () => {
  const target = { type: "MachinesReady", reasons: { True: "Ready", False: "NotReady", Unknown: "ReadyUnknown" } };
  const options = { source: "Ready", target, noneReason: "NoReplicas" };
  it("is True without members", () => {
    expect(aggregate([], options)).toEqual({ type: "MachinesReady", status: "True", reason: "NoReplicas" });
  });
  it("groups equal messages, control plane first, three names each", () => {
    const bad = ["w4", "w3", "w2", "w1"].map((name) => member(name, condition("Ready", "False", "down")));
    const result = aggregate(
      [...bad, member("c1", condition("Ready", "False", "down"), true), member("w5", undefined)],
      options,
    );
    expect(result).toMatchObject({ status: "False", reason: "NotReady" });
    expect(result.message).toBe(
      "* Machines c1, w1, w2, ... (2 more): down\n* Machine w5: Condition Ready not yet reported",
    );
  });
  it("counts what does not fit in three lines", () => {
    const bad = [1, 2, 3, 4, 5].map((n) => member(`m${n}`, condition("Ready", "False", `cause ${n}`)));
    const lines = aggregate([...bad, member("m6", undefined)], options).message?.split("\n") ?? [];
    expect(lines.slice(3)).toEqual(["And 2 Machines with other issues", "And 1 Machine with status unknown"]);
  });
});
