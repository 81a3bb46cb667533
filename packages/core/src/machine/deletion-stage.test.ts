import { Annotation } from "@capstan/contract";
import { describe, expect, it } from "vitest";
import { at, machine, ms } from "../../test/objects.ts";
import type { NodeDeletionFacts, WaitFacts } from "./deletion-stage.ts";
import { isStepDue, nodeKeptBecause, preDrainHooks, preTerminateHooks, timedOut } from "./deletion-stage.ts";
import { volumesToAwait } from "./volume-detach.ts";

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

const volume = (name: string, handle: string, claim?: string) => ({
  apiVersion: "v1",
  kind: "PersistentVolume",
  metadata: { name },
  spec: {
    csi: { driver: "csi.test", volumeHandle: handle },
    ...(claim === undefined ? {} : { claimRef: { namespace: "ns", name: claim } }),
  },
});
const attached = (handle: string): string => `kubernetes.io/csi/csi.test^${handle}`;

describe("volumesToAwait", () => {
  const volumes = [volume("pv-1", "h1", "c1"), volume("pv-2", "h2")];
  it.each<[string, Partial<Parameters<typeof volumesToAwait>[0]>, readonly string[]]>([
    ["none", {}, []],
    ["by the Node's status", { volumesAttached: [attached("h1")] }, ["pv-1"]],
    ["by a VolumeAttachment", { attachments: ["pv-1"] }, ["pv-1"]],
    ["by both, once", { volumesAttached: [attached("h1")], attachments: ["pv-1"] }, ["pv-1"]],
    ["a volume without a claim", { attachments: ["pv-2"], ignoredClaims: new Set(["ns/c1"]) }, ["pv-2"]],
    ["a volume nobody knows", { volumesAttached: [attached("h9")], attachments: ["pv-9"] }, [attached("h9"), "pv-9"]],
    ["not what a Pod uses that stays", { volumesAttached: [attached("h1")], ignoredClaims: new Set(["ns/c1"]) }, []],
    ["not other kinds of volume", { volumesAttached: ["kubernetes.io/nfs/x"] }, []],
  ])("%s", (_, over, expected) => {
    const base = { volumesAttached: [], attachments: [], volumes, ignoredClaims: new Set<string>() };
    expect(volumesToAwait({ ...base, ...over })).toEqual(expected);
  });
});
