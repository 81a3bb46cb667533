import { Group, Label } from "@capstan/contract";
import { ownerReference } from "@capstan/contract/wire";
import { describe, expect, it } from "vitest";
import { at, cluster, condition, machine, machineDeployment, machineSet, ms } from "../../test/objects.ts";
import { Cluster } from "../api.ts";
import {
  clusterAvailable,
  clusterInfrastructureReady,
  controlPlaneAvailable,
  controlPlaneInitialized,
  machinesConditions,
  movement,
  remoteConnectionProbe,
  workersAvailable,
} from "./conditions.ts";
import { controlPlaneCounters, workerCounters } from "./counters.ts";
import { planChildren } from "./descendants.ts";

const controlPlaneRef = { apiGroup: Group.controlPlane, kind: "TestControlPlane", name: "prod" };
const owned = { ownerReferences: [ownerReference(Cluster, cluster())] };
const gone = { deletionTimestamp: at(1) };
const bySet = {
  ownerReferences: [{ apiVersion: "g/v1", kind: "MachineSet", name: "set", uid: "uid-set", controller: true }],
};
const byDeployment = {
  ownerReferences: [{ apiVersion: "g/v1", kind: "MachineDeployment", name: "md", uid: "uid-md", controller: true }],
};
const controlPlaneLabel = { labels: { [Label.controlPlane]: "" } };
const none = { machines: [], sets: [], deployments: [], pools: [] };

describe("planChildren", () => {
  it("lets the next stage begin when nothing is left", () => {
    expect(planChildren(cluster(), none)).toEqual({ remove: [], waiting: undefined });
  });

  it("deletes what the Cluster owns, and waits for what those own", () => {
    const deployment = machineDeployment({ metadata: owned });
    const plan = planChildren(cluster(), {
      ...none,
      deployments: [deployment],
      sets: [machineSet({ metadata: byDeployment })],
      machines: [machine({ metadata: { name: "a", ...bySet } })],
    });
    expect(plan.remove).toEqual([deployment]);
    expect(plan.waiting).toEqual({
      reason: "WaitingForWorkersDeletion",
      message: "* MachineDeployments: md\n* MachineSets: set\n* Worker Machines: a",
    });
  });

  it("does not delete twice", () => {
    const plan = planChildren(cluster(), { ...none, machines: [machine({ metadata: { ...owned, ...gone } })] });
    expect(plan.remove).toEqual([]);
    expect(plan.waiting).toBeDefined();
  });

  it("leaves control plane Machines to their object, and takes them along without one", () => {
    const machines = [machine({ metadata: { ...owned, ...controlPlaneLabel } })];
    expect(planChildren(cluster({ spec: { controlPlaneRef } }), { ...none, machines }).waiting).toBeUndefined();
    expect(planChildren(cluster(), { ...none, machines }).remove).toEqual(machines);
  });

  it("names what nobody will delete", () => {
    const plan = planChildren(cluster(), { ...none, machines: [machine()] });
    expect(plan.remove).toEqual([]);
    expect(plan.waiting?.message).toContain("not owned by Cluster prod, so to be deleted by hand: Machine m");
  });
});

const input = (lastProbeSuccess: number | undefined, since = 0, problem?: string) => ({
  lastProbeSuccess,
  problem,
  since: ms(since),
  now: ms(100),
  graceMs: 50_000,
});

describe("remoteConnectionProbe", () => {
  const failed = cluster({ status: { conditions: [condition("RemoteConnectionProbe", "False")] } });
  const refused = cluster({
    status: {
      conditions: [
        condition("RemoteConnectionProbe", "False", { message: "Remote connection not established yet: no" }),
      ],
    },
  });
  const answered = cluster({ status: { conditions: [condition("RemoteConnectionProbe", "True")] } });
  it.each<[string, ReturnType<typeof cluster>, ReturnType<typeof input>, object | undefined]>([
    ["never answered", cluster(), input(undefined), { status: "False", reason: "ProbeFailed" }],
    ["never answered, and said so", failed, input(undefined), undefined],
    ["may be asked again", refused, input(undefined), { message: "Remote connection not established yet" }],
    [
      "may not be asked",
      failed,
      input(undefined, 0, "127.0.0.1 is an address of this computer"),
      { status: "False", message: "Remote connection not established yet: 127.0.0.1 is an address of this computer" },
    ],
    ["answered the process before, lately", answered, input(undefined, 50), undefined],
    ["answered the process before, long ago", answered, input(undefined, 49), { status: "False" }],
    ["answered in time", failed, input(ms(50)), { status: "True", reason: "ProbeSucceeded" }],
    [
      "answered too long ago",
      cluster(),
      input(ms(49)),
      { status: "False", message: `Remote connection probe failed, probe last succeeded at ${at(49)}` },
    ],
  ])("%s", (_, given, probe, expected) => {
    const result = remoteConnectionProbe(given, probe);
    if (expected === undefined) expect(result).toBeUndefined();
    else expect(result).toMatchObject(expected);
  });
});

const deployment = (name: string, status: "True" | "False", message = "") =>
  machineDeployment({ metadata: { name }, status: { conditions: [condition("Available", status, { message })] } });

describe("workersAvailable", () => {
  it.each<[string, ReturnType<typeof deployment>[], object]>([
    ["no workers", [], { status: "True", reason: "NoWorkers" }],
    ["all", [deployment("a", "True")], { status: "True", reason: "Available" }],
    [
      "one of two",
      [deployment("a", "True"), deployment("b", "False", "0 of 3")],
      { status: "False", reason: "NotAvailable", message: "* MachineDeployment b: 0 of 3" },
    ],
    ["not reported", [machineDeployment()], { status: "Unknown", reason: "AvailableUnknown" }],
  ])("with %s", (_, deployments, expected) => {
    expect(workersAvailable({ ...none, deployments })).toMatchObject(expected);
  });
});

const external = (status: object) => ({
  state: "found" as const,
  external: {
    contract: "v1beta2" as const,
    resource: { group: Group.controlPlane, version: "v1", kind: "TestControlPlane", plural: "x", namespaced: true },
    object: { apiVersion: `${Group.controlPlane}/v1`, kind: "TestControlPlane", metadata: { name: "prod" }, status },
  },
});

it("says what is wrong with an infrastructure cluster of the wrong shape", () => {
  const found = clusterInfrastructureReady(cluster(), external({ initialization: { provisioned: "yes" } }));
  expect(found).toMatchObject({ status: "Unknown", reason: "InternalError" });
  expect(found.message).toContain("TestControlPlane prod: status.initialization.provisioned does not have the shape");
});

describe("controlPlaneAvailable", () => {
  const given = cluster({ spec: { controlPlaneRef } });
  it.each([
    [
      "its condition",
      external({ conditions: [condition("Available", "False", { reason: "Quorum" })] }),
      { status: "False", reason: "Quorum" },
    ],
    [
      "its flag",
      external({ initialization: { controlPlaneInitialized: true } }),
      { status: "True", reason: "Available" },
    ],
    [
      "nothing",
      external({}),
      {
        status: "False",
        reason: "NotAvailable",
        message: "TestControlPlane status.initialization.controlPlaneInitialized is false",
      },
    ],
    [
      "a flag that is none",
      external({ initialization: { controlPlaneInitialized: "yes" } }),
      { status: "Unknown", reason: "InternalError" },
    ],
    [
      "no object",
      { state: "missing" as const, reference: controlPlaneRef },
      { status: "False", reason: "ObjectDoesNotExist" },
    ],
  ])("from %s", (_, observation, expected) => {
    expect(controlPlaneAvailable(given, observation)).toMatchObject(expected);
  });

  it("goes by the Machines without a control plane object", () => {
    const initialized = cluster({ status: { initialization: { controlPlaneInitialized: true } } });
    expect(controlPlaneAvailable(cluster(), { state: "unreferenced" })).toMatchObject({ status: "False" });
    expect(controlPlaneAvailable(initialized, { state: "unreferenced" })).toMatchObject({ status: "True" });
  });
});

describe("controlPlaneInitialized", () => {
  const given = cluster({ spec: { controlPlaneRef } });
  it.each([
    ["no reference", { state: "unreferenced" as const }, { status: "False", reason: "NotInitialized" }],
    ["no flag", external({}), { status: "False", reason: "NotInitialized" }],
    [
      "a flag that is none",
      external({ initialization: { controlPlaneInitialized: "yes" } }),
      { status: "Unknown", reason: "InternalError" },
    ],
    [
      "no object",
      { state: "missing" as const, reference: controlPlaneRef },
      { status: "Unknown", reason: "ObjectDoesNotExist" },
    ],
  ])("with %s", (_, observation, expected) => {
    expect(controlPlaneInitialized(given, observation)).toMatchObject(expected);
  });

  it("stays, whatever becomes of the object", () => {
    const initialized = { ...given, status: { initialization: { controlPlaneInitialized: true } } };
    const missing = { state: "missing" as const, reference: controlPlaneRef };
    expect(controlPlaneInitialized(initialized, missing)).toMatchObject({ status: "True", reason: "Initialized" });
  });
});

describe("clusterAvailable", () => {
  const inputs = ["RemoteConnectionProbe", "InfrastructureReady", "ControlPlaneAvailable", "WorkersAvailable"];
  const all = [condition("Deleting", "False"), ...inputs.map((type) => condition(type, "True"))];
  it("sums up", () => {
    expect(clusterAvailable(cluster(), all)).toMatchObject({ status: "True", reason: "Available" });
    expect(clusterAvailable(cluster(), all.slice(0, -1))).toMatchObject({
      status: "Unknown",
      reason: "AvailableUnknown",
    });
  });

  it("leaves out what is gone already on its way out", () => {
    const leaving = cluster({ metadata: { deletionTimestamp: at(0) } });
    const others = all.filter(({ type }) => type !== "Deleting" && type !== "ControlPlaneAvailable");
    const deleting = condition("Deleting", "True", { message: "Waiting for TestCluster to be deleted" });
    const deleted = condition("ControlPlaneAvailable", "False", { reason: "ObjectDeleted" });
    expect(clusterAvailable(leaving, [deleting, ...others, deleted])).toMatchObject({
      status: "False",
      message: "* Deleting: Waiting for TestCluster to be deleted",
    });
  });

  it("obeys gates", () => {
    const gated = cluster({ spec: { availabilityGates: [{ conditionType: "Frozen", polarity: "Negative" }] } });
    expect(clusterAvailable(gated, [...all, condition("Frozen", "True")])).toMatchObject({ status: "False" });
  });
});

describe("movement", () => {
  it("names everything that moves", () => {
    const deployments = [
      machineDeployment({
        status: { conditions: [condition("ScalingUp", "True", { message: "from 1 to 3\n* blocked" })] },
      }),
    ];
    expect(movement("ScalingUp", { state: "unreferenced" }, { ...none, deployments })).toMatchObject({
      status: "True",
      message: "* MachineDeployment md:\n  * from 1 to 3\n    * blocked",
    });
    expect(movement("ScalingUp", { state: "unreferenced" }, none)).toMatchObject({
      status: "False",
      reason: "NotScalingUp",
    });
  });

  it("is not known where the control plane cannot be read, or says so itself", () => {
    const unknown = { status: "Unknown", reason: "RollingOutUnknown" };
    expect(movement("RollingOut", { state: "unreadable", reference: controlPlaneRef }, none)).toMatchObject(unknown);
    const deployments = [machineDeployment({ status: { conditions: [condition("RollingOut", "Unknown")] } })];
    expect(movement("RollingOut", { state: "unreferenced" }, { ...none, deployments })).toMatchObject(unknown);
  });
});

const outcome = (prefix: "ControlPlane" | "Worker", given: ReturnType<typeof machine>, controlled: boolean) =>
  machinesConditions(prefix, [given], {
    cluster: controlled ? cluster({ spec: { controlPlaneRef } }) : cluster(),
    now: ms(100),
  })[1]?.reason;

describe("machinesConditions", () => {
  const ofDeployment = { labels: { [Label.deploymentName]: "md" } };
  it.each([
    ["a stand-alone control plane Machine", outcome("ControlPlane", machine(), false), "NoReplicas"],
    ["a control plane Machine whose object says nothing", outcome("ControlPlane", machine(), true), "UpToDateUnknown"],
    ["a stand-alone worker", outcome("Worker", machine(), true), "NoReplicas"],
    ["a worker of a deployment", outcome("Worker", machine({ metadata: ofDeployment }), true), "UpToDateUnknown"],
    [
      "a new worker of a deployment",
      outcome("Worker", machine({ metadata: { ...ofDeployment, creationTimestamp: at(95) } }), true),
      "NoReplicas",
    ],
    [
      "a worker that says so",
      outcome("Worker", machine({ status: { conditions: [condition("UpToDate", "False")] } }), true),
      "NotUpToDate",
    ],
  ])("asks about UpToDate whoever has to report it: %s", (_, reason, expected) => {
    expect(reason).toBe(expected);
  });
});

describe("counters", () => {
  const most = { replicas: 2 ** 31 - 1 };
  const ready = { conditions: [condition("Ready", "True"), condition("Available", "True")] };
  it("adds up deployments, stand-alone sets and stand-alone Machines, each once", () => {
    const status = { replicas: 3, readyReplicas: 2, availableReplicas: 2, upToDateReplicas: 1 };
    const counters = workerCounters({
      ...none,
      deployments: [machineDeployment({ status })],
      sets: [machineSet({ status, metadata: { name: "own" } }), machineSet({ status, metadata: byDeployment })],
      machines: [
        machine({ metadata: owned, status: ready, spec: { version: "v1.33.4" } }),
        machine({ metadata: bySet, status: ready }),
        machine({ metadata: controlPlaneLabel, status: ready }),
      ],
    });
    expect(counters).toEqual({
      desiredReplicas: 7,
      replicas: 7,
      readyReplicas: 5,
      availableReplicas: 5,
      upToDateReplicas: 2,
      versions: [{ version: "v1.33.4", replicas: 1 }],
    });
  });

  it("counts no more workers than the status can say", () => {
    const all = {
      ...none,
      deployments: ["a", "b"].map((name) => machineDeployment({ metadata: { name }, spec: most })),
    };
    expect(workerCounters(all).desiredReplicas).toBe(most.replicas);
  });

  const withControlPlane = cluster({
    spec: { controlPlaneRef: { apiGroup: Group.controlPlane, kind: "TestControlPlane", name: "prod" } },
  });
  const reported = (status: object) => ({
    cluster: withControlPlane,
    controlPlane: { state: "found", external: externalWith(status) } as const,
  });
  const externalWith = (status: object) => ({
    contract: "v1beta1" as const,
    resource: { group: Group.controlPlane, version: "v1", kind: "TestControlPlane", plural: "x", namespaced: true },
    object: {
      apiVersion: `${Group.controlPlane}/v1`,
      kind: "TestControlPlane",
      metadata: { name: "prod" },
      spec: { replicas: 3 },
      status,
    },
  });

  it("leaves absent what a control plane does not report", () => {
    expect(controlPlaneCounters(reported({ replicas: 2, updatedReplicas: 1 }), [])).toEqual({
      desiredReplicas: 3,
      replicas: 2,
      upToDateReplicas: 1,
    });
    const missing = { state: "missing", reference: { apiGroup: "a", kind: "b", name: "c" } } as const;
    expect(controlPlaneCounters({ cluster: withControlPlane, controlPlane: missing }, [])).toEqual({});
  });

  it("leaves absent what a control plane has in another shape", () => {
    const found = reported({ replicas: 2, readyReplicas: "all", versions: ["v1.33.0"] });
    expect(controlPlaneCounters(found, [])).toEqual({ desiredReplicas: 3, replicas: 2 });
  });

  it.each([
    [0, 3],
    [1, 2],
    [4, 0],
  ])("counts as available what an older control plane does not call unavailable: %i of 3", (unavailable, available) => {
    const counters = controlPlaneCounters(reported({ unavailableReplicas: unavailable }), []);
    expect(counters.availableReplicas).toBe(available);
  });
});
