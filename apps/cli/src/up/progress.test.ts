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
    [
      "a server whose bootstrapping failed",
      {
        apiVersion: "v1",
        kind: "LinodeMachine",
        metadata: { name: "m" },
        status: {
          conditions: [
            condition("Ready", "True"),
            condition("BootstrapSucceeded", "False", "bootstrapping failed: x\nEnd of the log:\ny", "Failed"),
          ],
        },
      },
      { state: "BootstrapFailed", detail: "bootstrapping failed: x", done: false },
    ],
  ])("shows %s", (_, object, expected) => expect(rowOf(object)).toMatchObject(expected));
});

describe("machinesVerdict", () => {
  const owner = (status: object): KubeObject => ({
    apiVersion: "v1",
    kind: "MachineDeployment",
    metadata: { name: "d", generation: 2 },
    spec: { replicas: 2 },
    status: { replicas: 2, upToDateReplicas: 2, observedGeneration: 2, ...status },
  });
  const cluster = (phase: string): KubeObject => ({
    apiVersion: "v1",
    kind: "Cluster",
    metadata: { name: "c" },
    status: { phase, conditions: [condition("InfrastructureReady", "False", "no token")] },
  });
  const blocked = condition("ScalingUp", "True", "Scaling up from 1 to 2 replicas is blocked because:\n* T is missing");
  const running = machine("Running");

  it.each<[string, Partial<Parameters<typeof machinesVerdict>[0]>, readonly string[]]>([
    ["all there", { owners: [owner({})] }, []],
    ["one missing", { owners: [owner({ replicas: 1 })] }, ["MachineDeployment d: 1 of 2 Machines exist"]],
    [
      "one that cannot be made",
      { owners: [owner({ replicas: 1, conditions: [blocked] })] },
      ["MachineDeployment d: 1 of 2 Machines exist: Scaling up from 1 to 2 replicas is blocked because: T is missing"],
    ],
    [
      "one to be replaced",
      { owners: [owner({ upToDateReplicas: 1 })] },
      ["MachineDeployment d: 1 of 2 Machines are up to date"],
    ],
    [
      "a change just made",
      { owners: [owner({ observedGeneration: 1 })] },
      ["MachineDeployment d: its last change is not looked at yet"],
    ],
    [
      "one that waits",
      { machines: [machine("Pending", [condition("X", "False", "why")])] },
      ["Machine m: Pending: why"],
    ],
    [
      "a cluster that waits",
      { machines: [machine("Pending")], clusters: [cluster("Provisioning")] },
      ["Cluster c: Provisioning: no token", "Machine m: Pending"],
    ],
    ["a cluster that waits for something else", { clusters: [cluster("Provisioning")] }, []],
    [
      "something left in a store",
      { stored: [{ apiVersion: "v1", kind: "LinodeMachine", metadata: { name: "m" } }] },
      ["LinodeMachine m: its bootstrap data is still in the object store"],
    ],
    ["nothing", { machines: [] }, ["there is no Machine"]],
  ])("%s", (_, facts, reasons) => {
    const verdict = machinesVerdict({ clusters: [], machines: [running], owners: [], stored: [], ...facts });
    expect(verdict).toEqual({ running: reasons.length === 0, reasons });
  });
});
