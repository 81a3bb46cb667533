import type { KubeObject } from "@capstan/schema";
import { describe, expect, it } from "vitest";
import { machinesVerdict, rowOf } from "./progress.ts";

const condition = (type: string, status: string, message = "", reason = "Because") => ({
  type,
  status,
  reason,
  message,
  lastTransitionTime: "2026-03-01T00:00:00Z",
});

const machine = (phase: string, conditions: readonly object[] = [], metadata: object = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "Machine",
  metadata: { name: "m", namespace: "default", ...metadata },
  status: { phase, conditions },
});

describe("rowOf", () => {
  it.each([
    [
      "a running machine",
      machine("Running", [condition("Ready", "True")]),
      { state: "Running", detail: "", done: true },
    ],
    [
      "a waiting one, by its most telling condition",
      machine("Pending", [
        condition("Ready", "False", "* X: summary"),
        condition("InfrastructureReady", "False", "no quota"),
      ]),
      { state: "Pending", detail: "no quota", done: false },
    ],
    [
      "a heading with the line below it",
      machine("Pending", [condition("MachinesReady", "False", "* Machine a:\n  * NodeHealthy: not there")]),
      { state: "Pending", detail: "Machine a: NodeHealthy: not there", done: false },
    ],
    [
      "one that goes",
      machine("Deleting", [condition("Deleting", "True", "Drain not completed")], {
        deletionTimestamp: "2026-03-01T00:00:00Z",
      }),
      { state: "Deleting", detail: "Drain not completed", done: false },
    ],
    [
      "a set by its replicas",
      {
        apiVersion: "v1",
        kind: "MachineSet",
        metadata: { name: "s" },
        spec: { replicas: 3 },
        status: { readyReplicas: 2 },
      },
      { state: "2/3 ready", done: false },
    ],
    [
      "one without conditions",
      { apiVersion: "v1", kind: "X", metadata: { name: "x" } },
      { state: "Pending", detail: "", done: false },
    ],
  ])("shows %s", (_, object, expected) => expect(rowOf(object)).toMatchObject(expected));
});

describe("machinesVerdict", () => {
  const owner = (wanted: number, present: number): KubeObject => ({
    apiVersion: "v1",
    kind: "MachineDeployment",
    metadata: { name: "d" },
    spec: { replicas: wanted },
    status: { replicas: present },
  });

  it("wants every Machine to run and every wished one to exist", () => {
    expect(machinesVerdict({ machines: [machine("Running")], owners: [owner(1, 1)] })).toEqual({
      running: true,
      reasons: [],
    });
    expect(machinesVerdict({ machines: [machine("Running")], owners: [owner(2, 1)] }).reasons).toEqual([
      "MachineDeployment d: 1 of 2 Machines exist",
    ]);
    expect(
      machinesVerdict({ machines: [machine("Pending", [condition("X", "False", "why")])], owners: [] }).reasons,
    ).toEqual(["Machine m: Pending: why"]);
    expect(machinesVerdict({ machines: [], owners: [] }).running).toBe(false);
  });
});
