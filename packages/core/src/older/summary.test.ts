import type { DeprecatedCondition } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { describe, expect, it } from "vitest";
import { at } from "../../test/objects.ts";
import { type OlderCondition, olderAfter, olderAggregate, olderFalse, olderMirror, olderSummary } from "./summary.ts";

const fine: OlderCondition = { type: "A", status: "True" };
const waiting: OlderCondition = { type: "B", status: "False", severity: "Info", reason: "Waits", message: "for C" };
const warned: OlderCondition = { type: "C", status: "False", severity: "Warning", reason: "Odd", message: "indeed" };
const broken: OlderCondition = { type: "D", status: "False", severity: "Error", reason: "Broken" };
const unknown: OlderCondition = { type: "E", status: "Unknown", reason: "Silent" };
const bare: OlderCondition = { type: "F", status: "False", reason: "OfToday" };

const named = (name: string, ...conditions: readonly OlderCondition[]): KubeObject => ({
  apiVersion: "a/v1",
  kind: "Machine",
  metadata: { name },
  status: {
    deprecated: { v1beta1: { conditions: conditions.map((each) => ({ ...each, lastTransitionTime: at(0) })) } },
  },
});

describe("olderSummary", () => {
  it.each([
    [[fine, waiting, warned, broken], { status: "False", reason: "Broken" }],
    [[fine, waiting, warned], { status: "False", reason: "Odd" }],
    [[fine, waiting], { status: "False", reason: "Waits" }],
    [[fine, unknown, bare], { status: "True" }],
    [[unknown, bare], { status: "Unknown", reason: "Silent" }],
    [[bare], { status: "False", reason: "OfToday" }],
  ])("takes what weighs most of %j", (conditions, expected) => {
    expect(olderSummary(conditions)).toMatchObject({ type: "Ready", ...expected });
  });

  it("takes the first of equals, as they stand", () => {
    const other = { ...warned, reason: "Later" };
    expect(olderSummary([warned, other])?.mirrors).toEqual({ ...warned, type: "Ready", lastTransitionTime: "" });
  });

  it("counts steps while something is made", () => {
    expect(olderSummary([fine, waiting], { steps: 2 })?.mirrors?.message).toBe("1 of 2 completed");
  });

  it("leaves out reasons and messages that say nothing, which no API server takes", () => {
    const { mirrors } = olderSummary([{ ...waiting, reason: "", message: "" }]) ?? {};
    expect(mirrors).toEqual({ type: "Ready", status: "False", severity: "Info", lastTransitionTime: "" });
  });

  it("says nothing of nothing", () => expect(olderSummary([])).toBeUndefined());
});

describe("olderAggregate", () => {
  const ready = (condition: OlderCondition): OlderCondition => ({ ...condition, type: "Ready" });

  it("names the first object of those that weigh most, and counts those that are ready", () => {
    const objects = [
      named("z", ready(warned)),
      named("b", ready(warned)),
      named("a", ready(waiting)),
      named("c", ready(fine)),
    ];
    expect(olderAggregate("MachinesReady", objects)?.mirrors).toMatchObject({
      status: "False",
      severity: "Warning",
      reason: "Odd @ Machine/b",
      message: "1 of 4 completed",
    });
  });

  it("is True when all are, and leaves out those that report nothing", () => {
    expect(olderAggregate("MachinesReady", [named("a", ready(fine)), named("b")])).toMatchObject({ status: "True" });
    expect(olderAggregate("MachinesReady", [named("a")])).toBeUndefined();
  });
});

describe("olderMirror", () => {
  const otherwise = { done: false, waiting: "Waits" };
  const told = (list: unknown, older = false): KubeObject => ({
    apiVersion: "a/v1",
    kind: "Infra",
    metadata: { name: "a" },
    status: older ? { deprecated: { v1beta1: { conditions: list } } } : { conditions: list },
  });
  const error: DeprecatedCondition = { ...broken, type: "Ready", lastTransitionTime: at(3) };

  it("keeps status, severity, reason and message of the provider", () => {
    expect(olderMirror("InfrastructureReady", told([error]), otherwise).mirrors).toMatchObject({
      type: "InfrastructureReady",
      status: "False",
      severity: "Error",
      reason: "Broken",
    });
    expect(olderMirror("X", told([{ ...fine, type: "Ready", reason: "Ready" }]), otherwise).mirrors).toMatchObject({
      status: "True",
      reason: "Ready",
    });
    expect(olderMirror("X", told([error], true), otherwise)).toMatchObject({ status: "False", reason: "Broken" });
  });

  it.each(["none", [{ type: "Ready" }], [{ type: "Other", status: "True" }], undefined])(
    "falls back where %j is no such condition",
    (list) => {
      expect(olderMirror("X", told(list), otherwise)).toEqual(olderFalse("X", "Info", "Waits"));
      expect(olderMirror("X", told(list), { ...otherwise, done: true })).toMatchObject({ status: "True" });
    },
  );
});

it("keeps the name of the object in the reason of what is aggregated", () => {
  const reason = "Deleted @ Machine/a";
  const set = named("set", { type: "Ready", status: "False", severity: "Info", reason });
  expect(olderMirror("X", set, { done: false, waiting: "Waits" }).mirrors).toMatchObject({ reason });
});

describe("olderAfter", () => {
  it("has what is set, and what was there before", () => {
    const before = named("m", warned, broken);
    const after = olderAfter(before, [olderFalse("C", "Info", "Calmer", "now")], ["D", "C", "missing"]);
    expect(after).toMatchObject([
      { type: "D", reason: "Broken" },
      { type: "C", severity: "Info", reason: "Calmer", message: "now" },
    ]);
  });
});
