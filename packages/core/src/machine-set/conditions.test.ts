import {
  countMachines,
  deletingReplicas,
  machineVersions,
  machinesReady,
  machinesUpToDate,
  remediating,
  scalingConditions,
  staleMachinesMessage,
  sumVersions,
} from "@capstan/kit/machines";
import { describe, expect, it } from "vitest";
import { at, condition, machine, machineSet, ms } from "../../test/objects.ts";
import type { Machine } from "../api.ts";
import { countFullyLabelled } from "./counters.ts";

const named = (name: string, ...conditions: readonly ReturnType<typeof condition>[]): Machine =>
  machine({ metadata: { name }, status: { conditions: [...conditions] } });

describe("machinesReady", () => {
  const sick = (name: string, message: string): Machine => named(name, condition("Ready", "False", { message }));
  it.each<[string, readonly Machine[], object]>([
    ["none", [], { status: "True", reason: "NoReplicas" }],
    ["all ready", [named("a", condition("Ready", "True"))], { status: "True", reason: "Ready", message: "" }],
    ["one that says nothing", [named("a")], { status: "Unknown", reason: "ReadyUnknown" }],
    [
      "four with the same trouble, and one with another",
      ["a", "b", "c", "d"].map((name) => sick(name, "no disk")).concat(sick("e", "no net")),
      {
        status: "False",
        reason: "NotReady",
        message: "* Machines a, b, c, ... (1 more): no disk\n* Machine e: no net",
      },
    ],
  ])("of %s", (_, machines, expected) => {
    expect(machinesReady(machines)).toMatchObject({ type: "MachinesReady", ...expected });
  });
});

describe("machinesUpToDate", () => {
  const input = { now: ms(100), judged: true };
  const young = machine({ metadata: { name: "young", creationTimestamp: at(95) } });
  it.each<[string, readonly Machine[], typeof input, string]>([
    ["a Machine that is", [named("a", condition("UpToDate", "True"))], input, "UpToDate"],
    ["a Machine that is not", [named("a", condition("UpToDate", "False"))], input, "NotUpToDate"],
    ["a Machine that does not say so", [named("a")], input, "UpToDateUnknown"],
    ["a Machine that is too young to", [young], input, "NoReplicas"],
    ["a Machine of no deployment", [named("a")], { ...input, judged: false }, "NoReplicas"],
  ])("of %s", (_, machines, given, reason) => {
    expect(machinesUpToDate(machines, given).reason).toBe(reason);
  });
});

describe("scalingConditions", () => {
  const facts = { desired: 3, present: 3, deleting: false, blockers: [], stale: "" };
  const [up, down] = [0, 1];
  const result = (over: Partial<Parameters<typeof scalingConditions>[0]>) => scalingConditions({ ...facts, ...over });

  it.each<[string, Parameters<typeof result>[0], number, object]>([
    ["enough", {}, up, { status: "False", reason: "NotScalingUp", message: "" }],
    ["enough", {}, down, { status: "False", reason: "NotScalingDown" }],
    ["too few", { present: 1 }, up, { status: "True", message: "Scaling up from 1 to 3 replicas" }],
    [
      "too few, and something in the way",
      { present: 1, blockers: ["T does not exist"] },
      up,
      { status: "True", message: "Scaling up from 1 to 3 replicas is blocked because:\n* T does not exist" },
    ],
    [
      "enough, and something that would be in the way",
      { blockers: ["T does not exist"] },
      up,
      { status: "False", message: "Scaling up would be blocked because:\n* T does not exist" },
    ],
    [
      "too many",
      { present: 5, stale: "* Machine a" },
      down,
      { status: "True", message: "Scaling down from 5 to 3 replicas:\n* Machine a" },
    ],
    ["deletion", { deleting: true }, down, { status: "True", message: "Scaling down from 3 to 0 replicas" }],
    ["no number", { desired: undefined }, up, { status: "Unknown", reason: "WaitingForReplicasSet" }],
  ])("with %s", (_, over, index, expected) => {
    expect(result(over)[index]).toMatchObject(expected);
  });
});

const leaving = (name: string, deletedAt: number, message = ""): Machine =>
  machine({
    metadata: { name, deletionTimestamp: at(deletedAt) },
    status: {
      deletion: { nodeDrainStartTime: at(deletedAt) },
      conditions: [condition("Deleting", "True", { reason: "DrainingNode", message })],
    },
  });

describe("staleMachinesMessage", () => {
  it("says nothing of deletions that are under way for less than a quarter of an hour", () => {
    expect(staleMachinesMessage([leaving("a", 0), machine()], ms(900))).toBe("");
  });

  it("names three, and why", () => {
    const budget = "* Pod x: cannot evict pod as it would violate the pod's disruption budget. y";
    const machines = ["d", "c", "b", "a"].map((name) => leaving(name, 0, budget));
    expect(staleMachinesMessage(machines, ms(901))).toBe(
      "* Machines a, b, c, ... (1 more) in deletion since more than 15m, delay likely due to PodDisruptionBudgets",
    );
  });
});

describe("deletingReplicas", () => {
  it.each([
    [
      { deleting: false, machines: 2, stale: "" },
      { status: "False", reason: "NotDeleting" },
    ],
    [
      { deleting: true, machines: 2, stale: "" },
      { status: "True", message: "Deleting 2 Machines" },
    ],
    [
      { deleting: true, machines: 1, stale: "* slow" },
      { status: "True", message: "Deleting 1 Machine and\n* slow" },
    ],
    [
      { deleting: true, machines: 0, stale: "" },
      { status: "True", message: "Deletion completed" },
    ],
  ])("%j", (given, expected) => {
    expect(deletingReplicas(given)).toMatchObject(expected);
  });
});

describe("remediating", () => {
  it("names the Machines that are to be replaced", () => {
    expect(remediating([named("a")])).toMatchObject({ status: "False", reason: "NotRemediating" });
    const waiting = named("a", condition("OwnerRemediated", "False", { message: "waiting" }));
    const ill = named("ill", condition("HealthCheckSucceeded", "False"));
    expect(remediating([named("a"), ill], "MachineSet")).toMatchObject({
      status: "False",
      message: "Machine ill is not healthy (not to be remediated by MachineSet)",
    });
    expect(remediating([ill, ill]).message).toBe("Machines ill, ill are not healthy (not to be remediated)");
    expect(remediating([waiting])).toMatchObject({ status: "True", message: "* Machine a: waiting" });
  });
});

const running = (version: string): Machine => machine({ spec: { version } });

describe("counters", () => {
  it("count by condition", () => {
    const ready = condition("Ready", "True");
    const machines = [named("a", ready, condition("Available", "True")), named("b", ready), named("c")];
    expect(countMachines(machines)).toEqual({
      replicas: 3,
      readyReplicas: 2,
      availableReplicas: 1,
      upToDateReplicas: 0,
    });
  });

  it("count who has every label of the template", () => {
    const labels = { role: "worker", zone: "a" };
    const machines = [labels, { ...labels, own: "x" }, { role: "worker" }, { ...labels, zone: "b" }].map((given) =>
      machine({ metadata: { labels: given } }),
    );
    const { template } = machineSet().spec;
    expect(countFullyLabelled(machines, { ...template, metadata: { labels } })).toBe(2);
    expect(countFullyLabelled(machines, template)).toBe(4);
  });

  it("list versions from old to new, by number", () => {
    expect(machineVersions([running("v1.10.0"), running("v1.9.2"), running("v1.10.0"), machine()])).toEqual([
      { version: "v1.9.2", replicas: 1 },
      { version: "v1.10.0", replicas: 2 },
    ]);
    expect(machineVersions([])).toBeUndefined();
    expect(sumVersions([{ version: "v1.9.2", replicas: 0 }])).toBeUndefined();
  });
});
