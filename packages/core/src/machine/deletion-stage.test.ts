import { Annotation } from "@capstan/contract";
import { describe, expect, it } from "vitest";
import { at, machine, ms } from "../../test/objects.ts";
import type { NodeDeletionFacts, WaitFacts } from "./deletion-stage.ts";
import { isStepDue, nodeKeptBecause, preDrainHooks, preTerminateHooks, timedOut } from "./deletion-stage.ts";

describe("nodeKeptBecause", () => {
  const facts: NodeDeletionFacts = {
    clusterDeleting: false,
    hasNode: true,
    controlPlaneDeleting: false,
    externalControlPlane: false,
    liveControlPlaneMachines: 1,
  };
  it.each<[string, Partial<NodeDeletionFacts>, string | undefined]>([
    ["nothing in the way", {}, undefined],
    ["the Cluster being deleted", { clusterDeleting: true }, "cluster-deleting"],
    ["no Node", { hasNode: false }, "no-node"],
    ["the control plane being deleted", { controlPlaneDeleting: true }, "control-plane-deleting"],
    ["the last control plane Machine", { liveControlPlaneMachines: 0 }, "last-control-plane-machine"],
    ["a control plane elsewhere", { liveControlPlaneMachines: 0, externalControlPlane: true }, undefined],
  ])("%s", (_, over, expected) => {
    expect(nodeKeptBecause({ ...facts, ...over })).toBe(expected);
  });
});

describe("timedOut", () => {
  it.each([
    [undefined, at(0), 1000, false],
    [0, at(0), 1000, false],
    [10, undefined, 1000, false],
    [10, at(0), 9, false],
    [10, at(0), 10, true],
  ])("a limit of %s s since %s, after %s s: %s", (limit, since, now, expected) => {
    expect(timedOut(limit, since, ms(now))).toBe(expected);
  });
});

describe("isStepDue", () => {
  const facts: WaitFacts = {
    excluded: false,
    infrastructureLeaving: false,
    limitSeconds: 60,
    startedAt: at(0),
    now: ms(30),
  };
  it.each<[string, Parameters<typeof machine>[0], Partial<WaitFacts>, boolean]>([
    ["in time", {}, {}, true],
    ["not begun", {}, { startedAt: undefined }, true],
    ["without limit", {}, { limitSeconds: 0, now: ms(9999) }, true],
    ["out of time", {}, { now: ms(61) }, false],
    ["excluded", {}, { excluded: true }, false],
    ["without a machine any more", {}, { infrastructureLeaving: true }, false],
    ["after pre-terminate began", { status: { deletion: { waitForPreTerminateHookStartTime: at(1) } } }, {}, false],
  ])("%s", (_, parts, over, expected) => {
    expect(isStepDue(machine(parts), { ...facts, ...over })).toBe(expected);
  });
});

describe("hooks", () => {
  it("are told apart by prefix, and sorted", () => {
    const annotations = {
      [`${Annotation.preDrainHookPrefix}b`]: "",
      [`${Annotation.preDrainHookPrefix}a`]: "",
      [`${Annotation.preTerminateHookPrefix}c`]: "",
      other: "",
    };
    const given = machine({ metadata: { annotations } });
    expect(preDrainHooks(given)).toEqual([`${Annotation.preDrainHookPrefix}a`, `${Annotation.preDrainHookPrefix}b`]);
    expect(preTerminateHooks(given)).toEqual([`${Annotation.preTerminateHookPrefix}c`]);
  });
});
